import { spawn } from "node:child_process";
import type { ChildProcessByStdio } from "node:child_process";
import type { Readable } from "node:stream";
import { DEADLINE_MS, DeadlineError } from "./deadline.ts";

export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

type Child = ChildProcessByStdio<null, Readable, Readable>;

const MAX_OUTPUT = 64 * 1024 * 1024;

/** Kills the shell and everything that it started. */
function killAll({ pid }: Child): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // All processes have already ended.
  }
}

function collect(child: Child): Promise<Ran> {
  const out = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => {
      out[name] += text;
      if (out[name].length > MAX_OUTPUT) killAll(child);
    });
  }
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, ...out }));
  });
}

/** Runs a line as an agent's shell would, and stops everything that it started. */
export async function runLine(
  line: string,
  cwd: string,
  env: Readonly<Record<string, string>>,
  deadlineMs = DEADLINE_MS,
): Promise<Ran> {
  const stdio = ["ignore", "pipe", "pipe"] as const;
  const child = spawn("/bin/sh", ["-c", line], { cwd, env, stdio: [...stdio], detached: true });
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    killAll(child);
  }, deadlineMs);
  // Programs that outlive their shell would keep its streams open.
  child.once("exit", () => setImmediate(killAll, child));
  try {
    const ran = await collect(child);
    if (isLate) throw new DeadlineError(line, deadlineMs);
    return ran;
  } finally {
    clearTimeout(timer);
    killAll(child);
  }
}
