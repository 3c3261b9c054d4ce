#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { isDevice, writeAtOnce } from "./output/write-sync.ts";
import type { Io } from "./io.ts";
import { runInUp, upSocket } from "./up/client.ts";
import { version } from "./version.ts";

const STDIN = 0;
const STDOUT = 1;
const argv = process.argv.slice(2);
const isDeviceOutput = isDevice(STDOUT);

const interruption = new AbortController();
// Handles only the first interrupt, so that a second one ends the process immediately.
for (const name of ["SIGINT", "SIGTERM"] as const) {
  process.once(name, () => interruption.abort(new Error(`Interrupted by ${name}`)));
}

const streams = new Map<"stdout" | "stderr", NodeJS.WriteStream>();

/** Returns the stream, which is created on first use. The code that writes handles write errors. */
function getStream(name: "stdout" | "stderr"): NodeJS.WriteStream {
  const stream = streams.get(name) ?? process[name].on("error", () => {});
  streams.set(name, stream);
  return stream;
}

/** Waits until the streams are written, because some systems write to pipes asynchronously. */
async function flushStreams(): Promise<void> {
  const used = [...streams.values()].filter(({ writableLength }) => writableLength > 0);
  await Promise.all(used.map((stream) => new Promise((done) => void stream.write("", done))));
}

/** Starts a command without a terminal. It continues after this process ends. */
function inBackground(words: readonly string[]): void {
  const { spawn } = process.getBuiltinModule("node:child_process");
  const script = process.argv[1] ?? "";
  const child = spawn(process.execPath, [...process.execArgv, script, ...words], {
    detached: true,
    stdio: "ignore",
  });
  child.on("error", () => {});
  child.unref();
}

const io: Io = {
  argv,
  // Opened on first use: a command that does not read stdin must not wait for it.
  stdin: { [Symbol.asyncIterator]: () => process.stdin[Symbol.asyncIterator]() },
  get stdout() {
    return getStream("stdout");
  },
  get stderr() {
    return getStream("stderr");
  },
  ...(isDeviceOutput ? {} : { writeAtOnce: (text) => writeAtOnce(STDOUT, text) }),
  env: process.env,
  cwd: process.cwd(),
  isTTY: isDeviceOutput && process.stdout.isTTY,
  inBackground,
  signal: interruption.signal,
};

/** Loaded only if the command runs in this process and not in that of `waybill up`. */
async function runHere(given: Io): Promise<number> {
  const { main } = await import(/* part: cli */ "./cli.ts");
  return main(given);
}

/** Reads standard input, if the command line says that it is used. */
function readStdin(): Buffer | undefined {
  const isRead = argv.some((word) => word === "-" || word.endsWith("=-"));
  return isRead ? readFileSync(STDIN) : undefined;
}

async function* once(given: Buffer): AsyncGenerator<Buffer> {
  yield given;
}

/** Runs the command in the process of `waybill up`, or here if there is none. */
async function runThere(socket: string): Promise<number> {
  const stdin = readStdin();
  const { env, isTTY } = io;
  const asked = { version: version(), argv, cwd: io.cwd, env, isTTY };
  const request = stdin === undefined ? asked : { ...asked, stdin: stdin.toString("base64") };
  const out = (text: string): void => {
    const left = io.writeAtOnce?.(text) ?? text;
    if (left.length > 0) io.stdout.write(left);
  };
  const err = (text: string): void => void io.stderr.write(text);
  const end = await runInUp(socket, request, { out, err }, interruption.signal);
  if (end.kind === "ended") {
    await flushStreams();
    return end.code;
  }
  const given = stdin === undefined ? {} : { stdin: { value: once(stdin) } };
  const here = Object.create(io, given) as Io;
  if (end.kind === "unreached") return runHere(here);
  const { afterLost } = await import("./up/lost-command.ts");
  return afterLost(here, end.hasPrinted);
}

const socket = upSocket(argv, process.env);
const ending = socket === undefined ? runHere(io) : runThere(socket);
// The answer is printed, so the process ends even if an aborted call still holds a socket or
// program.
// oxlint-disable-next-line unicorn/no-process-exit
void ending.then((code) => process.exit(code));
