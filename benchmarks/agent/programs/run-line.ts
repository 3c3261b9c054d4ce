import { spawn } from "node:child_process";
import type { ChildProcessByStdio } from "node:child_process";
import type { Readable } from "node:stream";

export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

const MAX_OUTPUT = 64 * 1024 * 1024;

function collect(child: ChildProcessByStdio<null, Readable, Readable>): Promise<Ran> {
  const out = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => {
      out[name] += text;
      if (out[name].length > MAX_OUTPUT) child.kill();
    });
  }
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, ...out }));
  });
}

/** Runs a line as an agent's shell would: what is counted is what was run. */
export function runLine(
  line: string,
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<Ran> {
  return collect(spawn("/bin/sh", ["-c", line], { cwd, env, stdio: ["ignore", "pipe", "pipe"] }));
}
