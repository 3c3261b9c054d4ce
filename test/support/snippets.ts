import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { root, sourceFlags } from "../../scripts/run.mjs";

/** A program's output, and why it ended if it failed. */
export interface Printed {
  readonly printed: string;
  readonly failure?: string;
}

/**
 * A time limit that only a hanging process reaches, for example if a snippet leaves a server open.
 */
const HANGS_MS = 1_500_000;
const MAX_OUTPUT = 64 * 1024 * 1024;

/** Runs all snippets in one separate process, and waits for its end. */
export async function runSnippets(codes: readonly string[]): Promise<Printed[]> {
  const cache = join(root, "node_modules/.cache/waybill");
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "snippets-"));
  try {
    const files = codes.map((code, index) => {
      const file = join(folder, `${index}.mts`);
      writeFileSync(file, code);
      return file;
    });
    const runner = join(import.meta.dirname, "run-programs.ts");
    const options = { cwd: root, timeout: HANGS_MS, maxBuffer: MAX_OUTPUT };
    const args = [...sourceFlags, runner, ...files];
    const { stdout } = await promisify(execFile)(process.execPath, args, options);
    return stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Printed);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
