#!/usr/bin/env node
import { main } from "./cli.ts";

const interruption = new AbortController();
// Once: whoever interrupts again does not want to wait for an orderly end.
for (const name of ["SIGINT", "SIGTERM"] as const) {
  process.once(name, () => interruption.abort(new Error(`Interrupted by ${name}`)));
}
// Failures to write are seen where the writing is done.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

const ending = main({
  argv: process.argv.slice(2),
  // Opened when it is read, for a command that reads nothing must not wait for it.
  stdin: { [Symbol.asyncIterator]: () => process.stdin[Symbol.asyncIterator]() },
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  cwd: process.cwd(),
  isTTY: process.stdout.isTTY ?? false,
  signal: interruption.signal,
});
// What was aborted may still hold a socket or a program open; the answer is out.
// oxlint-disable-next-line unicorn/no-process-exit
void ending.then((code) => process.exit(code));
