import { execFile } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { promisify } from "node:util";
import { root } from "../../scripts/run.mjs";

interface ScriptCoverage {
  readonly url: string;
  readonly functions: readonly {
    readonly functionName: string;
    readonly ranges: readonly { readonly count: number }[];
  }[];
}

/** Names of the functions that ran, by the file below `packages`. */
export type Trace = ReadonlyMap<string, readonly string[]>;

/**
 * Names to ignore: V8 uses the first for code that sets fields, and tsx adds `__name` to every
 * file.
 */
function isOurs(name: string): boolean {
  return name !== "" && !name.startsWith("<") && name !== "__name";
}

function readTrace(scripts: readonly ScriptCoverage[]): Trace {
  const trace = new Map<string, string[]>();
  for (const { url, functions } of scripts) {
    const [, file] = url.split("/packages/");
    const ran = functions.filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0);
    const names = ran.map(({ functionName }) => functionName).filter(isOurs);
    if (file !== undefined && names.length > 0) trace.set(file, [...new Set(names)]);
  }
  return trace;
}

const FROM_SOURCE = ["-C", "@waybill/source", "--import", "tsx"];
const run = promisify(execFile);
const MAX_BUFFER = 64 * 1_024 * 1_024;

/** The functions of one warm local call. */
export async function traceLocalCall(): Promise<Trace> {
  const args = [...FROM_SOURCE, "test/call-path/trace-local-call.mjs"];
  const { stdout } = await run(process.execPath, args, { cwd: root, maxBuffer: MAX_BUFFER });
  return readTrace(JSON.parse(stdout) as ScriptCoverage[]);
}

/** The functions that one command runs, from the coverage that it writes into a folder. */
export async function traceCommand(
  words: readonly string[],
  env: NodeJS.ProcessEnv,
  folder: string,
): Promise<Trace> {
  const args = [...FROM_SOURCE, "packages/cli/src/main.ts", ...words];
  const options = { cwd: root, env: { ...env, NODE_V8_COVERAGE: folder }, maxBuffer: MAX_BUFFER };
  await run(process.execPath, args, options);
  const scripts = readdirSync(folder).flatMap((file) => {
    const { result } = JSON.parse(readFileSync(`${folder}/${file}`, "utf8")) as {
      result: ScriptCoverage[];
    };
    return result;
  });
  return readTrace(scripts);
}
