import { spawn } from "node:child_process";

const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;
const TIME_LIMIT_MS = 60_000;

/**
 * A repository's configuration can name programs that git would start, such as hooks, a file-system
 * monitor or a pager. Nothing in a workspace may be executed, so all of them are turned off.
 */
export const GIT_FLAGS: readonly string[] = [
  "--no-pager",
  "--no-optional-locks",
  "--literal-pathspecs",
  "-c",
  "core.fsmonitor=false",
  "-c",
  "core.hooksPath=/dev/null",
  "-c",
  "core.quotePath=false",
  "-c",
  "diff.external=",
];

const ENVIRONMENT = {
  GIT_TERMINAL_PROMPT: "0",
  GIT_OPTIONAL_LOCKS: "0",
  // Prevents git from fetching a missing object from a remote, because that runs programs that the
  // configuration names.
  GIT_ALLOW_PROTOCOL: "none",
  GIT_NO_LAZY_FETCH: "1",
  LC_ALL: "C",
};

/** Environment variables that would point git at another repository or make it run a program. */
const isGitVariable = (name: string): boolean => name.startsWith("GIT_");

export function gitEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !isGitVariable(name));
  return { ...Object.fromEntries(kept), ...ENVIRONMENT };
}

export interface GitRun {
  readonly cwd: string;
  readonly signal?: AbortSignal;
}

/** The output of git; undefined if git is missing, fails, or prints too much. */
export async function runGit(args: readonly string[], run: GitRun): Promise<string | undefined> {
  const [command = "", ...others] = args;
  if (!READS_FILES.has(command)) return spawnGit(args, run);
  return spawnGit([...(await filtersOff(run)), command, NOT_INSIDE, ...others], run);
}

/** Commands for which git runs the filters of `.gitattributes`, to compare files with the index. */
const READS_FILES: ReadonlySet<string> = new Set(["diff", "status"]);
/** A nested repository has its own filters, which these flags do not turn off. */
const NOT_INSIDE = "--ignore-submodules=dirty";

/** Flags that turn off every filter in the repository's configuration. */
async function filtersOff(run: GitRun): Promise<string[]> {
  const args = ["config", "--null", "--name-only", "--get-regexp", "^filter\\."];
  const keys = splitZero((await spawnGit(args, run)) ?? "");
  const filters = new Set(keys.map((key) => key.slice(0, key.lastIndexOf("."))));
  return [...filters].flatMap((filter) =>
    ["clean=", "process=", "required=false"].flatMap((value) => ["-c", `${filter}.${value}`]),
  );
}

function spawnGit(args: readonly string[], { cwd, signal }: GitRun): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = spawn("git", [...GIT_FLAGS, ...args], {
      cwd,
      env: gitEnvironment(),
      stdio: ["ignore", "pipe", "ignore"],
      ...(signal && { signal }),
    });
    // Uses its own timer: if git is missing, the `timeout` of `spawn` keeps the process alive.
    const limit = setTimeout(() => child.kill(), TIME_LIMIT_MS);
    const end = (output: string | undefined): void => {
      clearTimeout(limit);
      resolve(output);
    };
    const chunks: Buffer[] = [];
    let size = 0;
    child.stdout.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > MAX_OUTPUT_BYTES) child.kill();
      else chunks.push(chunk);
    });
    child.on("error", () => end(undefined));
    child.on("close", (code) => {
      end(code === 0 ? Buffer.concat(chunks).toString("utf8") : undefined);
    });
  });
}

/** Splits output that was requested with `-z`. */
export function splitZero(output: string): string[] {
  return output.split("\0").filter((part) => part !== "");
}
