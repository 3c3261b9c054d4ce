#!/usr/bin/env node
import { isDevice, writeAtOnce } from "./at-once.ts";
import { main } from "./cli.ts";

const STDOUT = 1;

const interruption = new AbortController();
// Once: whoever interrupts again does not want to wait for an orderly end.
for (const name of ["SIGINT", "SIGTERM"] as const) {
  process.once(name, () => interruption.abort(new Error(`Interrupted by ${name}`)));
}

const streams = new Map<"stdout" | "stderr", NodeJS.WriteStream>();

/** Made when it is written to. Failures to write are seen where the writing is done. */
function streamOf(name: "stdout" | "stderr"): NodeJS.WriteStream {
  const stream = streams.get(name) ?? process[name].on("error", () => {});
  streams.set(name, stream);
  return stream;
}

const ending = main({
  argv: process.argv.slice(2),
  // Opened when it is read, for a command that reads nothing must not wait for it.
  stdin: { [Symbol.asyncIterator]: () => process.stdin[Symbol.asyncIterator]() },
  get stdout() {
    return streamOf("stdout");
  },
  get stderr() {
    return streamOf("stderr");
  },
  ...(isDevice(STDOUT) ? {} : { writeAtOnce: (text) => writeAtOnce(STDOUT, text) }),
  env: process.env,
  cwd: process.cwd(),
  isTTY: isDevice(STDOUT) && process.stdout.isTTY,
  signal: interruption.signal,
});
// What was aborted may still hold a socket or a program open; the answer is out.
// oxlint-disable-next-line unicorn/no-process-exit
void ending.then((code) => process.exit(code));
