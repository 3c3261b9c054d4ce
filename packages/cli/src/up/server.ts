import { chmod, rm } from "node:fs/promises";
import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { dirname } from "node:path";
import { Writable } from "node:stream";
import { ensurePrivateFolder } from "@waybill/state/files";
import type { RunAgain } from "../command.ts";
import type { Io } from "../io.ts";
import { untilInterrupted } from "../until-interrupted.ts";
import { version } from "../version.ts";
import { lending } from "../waybill/index.ts";
import { WarmWaybills } from "./warm-waybills.ts";
import { PATHS } from "./wire.ts";
import type { UpLine, UpRequest, UpStatus } from "./wire.ts";

const MAX_BODY = 64_000_000;
const MINUTE_MS = 60_000;
const ONLY_ITS_USER = 0o600;

async function readCommand(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > MAX_BODY) throw new Error(`The request is larger than ${MAX_BODY} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8");
}

/** Turns a stream of the command into lines of the response. */
function lineStream(name: "out" | "err", send: (line: UpLine) => void): Writable {
  return new Writable({
    decodeStrings: true,
    write(chunk: Buffer, _encoding, done) {
      send([name, chunk.toString("utf8")]);
      done();
    },
  });
}

async function* givenInput(encoded: string | undefined): AsyncGenerator<Buffer> {
  if (encoded !== undefined) yield Buffer.from(encoded, "base64");
}

/** Runs the commands of one user with Waybills that stay open. */
class UpServer {
  readonly #main: RunAgain;
  readonly #warm = new WarmWaybills();
  readonly #server: Server;
  readonly #idleMs: number;
  readonly #startedAt = Date.now();
  readonly #stop: () => void;
  readonly stopped: Promise<void>;
  #idle: NodeJS.Timeout | undefined;
  #commands = 0;
  #running = 0;

  constructor(main: RunAgain, idleMinutes: number) {
    this.#main = main;
    this.#idleMs = idleMinutes * MINUTE_MS;
    const stop = new AbortController();
    this.stopped = untilInterrupted(stop);
    this.#stop = () => stop.abort();
    this.#server = createServer((request, response) => void this.#answer(request, response));
    // An interrupted command closes its sending side, but still reads the answer.
    Reflect.set(this.#server, "httpAllowHalfOpen", true);
    this.#server.requestTimeout = 0;
    this.#restartIdle();
  }

  async listen(path: string): Promise<void> {
    const isPipe = process.platform === "win32";
    if (!isPipe) {
      await ensurePrivateFolder(dirname(path));
      await rm(path, { force: true });
    }
    this.#server.listen(path);
    await once(this.#server, "listening");
    if (!isPipe) await chmod(path, ONLY_ITS_USER);
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    this.#server.close();
    this.#server.closeAllConnections();
    await this.#warm.close();
  }

  #restartIdle(): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => {
      if (this.#running > 0) this.#restartIdle();
      else this.#stop();
    }, this.#idleMs);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on("error", () => {});
    const { method, url } = request;
    if (method === "POST" && url === PATHS.command) return this.#command(request, response);
    if (method === "GET" && url === PATHS.status) {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify(this.#status));
    } else if (method === "POST" && url === PATHS.down) {
      response.end(JSON.stringify(this.#status), () => this.#stop());
    } else response.writeHead(404).end();
  }

  get #status(): UpStatus {
    return {
      pid: process.pid,
      version: version(),
      startedAt: this.#startedAt,
      idleMinutes: this.#idleMs / MINUTE_MS,
      commands: this.#commands,
      running: this.#running,
      folders: this.#warm.folders,
    };
  }

  async #command(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const asked = JSON.parse(await readCommand(request)) as UpRequest;
      response.writeHead(200, { "content-type": "application/x-ndjson" });
      if (asked.version === version()) await this.#run(asked, request, response);
      else response.write(`["refused","version"]\n`);
    } catch {
      if (!response.headersSent) response.writeHead(400);
    }
    response.end();
  }

  async #run(asked: UpRequest, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const send = (line: UpLine): void => void response.write(`${JSON.stringify(line)}\n`);
    const gone = new AbortController();
    const abort = (): void => gone.abort(new Error("Interrupted"));
    request.socket.once("end", abort).once("close", abort);
    this.#commands += 1;
    this.#running += 1;
    try {
      const io = this.#ioFor(asked, send, gone.signal);
      send(["exit", await lending.run(this.#warm.lend, () => this.#main(io))]);
    } finally {
      this.#running -= 1;
      this.#restartIdle();
    }
  }

  #ioFor(asked: UpRequest, send: (line: UpLine) => void, signal: AbortSignal): Io {
    return {
      argv: asked.argv,
      env: asked.env,
      cwd: asked.cwd,
      isTTY: asked.isTTY,
      stdin: givenInput(asked.stdin),
      stdout: lineStream("out", send),
      stderr: lineStream("err", send),
      signal,
    };
  }
}

/** Listens until the process is stopped, interrupted, or idle for long. */
export async function serveUp(
  main: RunAgain,
  path: string,
  idleMinutes: number,
  interrupted: Promise<void>,
  onListening: () => Promise<void>,
): Promise<void> {
  const server = new UpServer(main, idleMinutes);
  await server.listen(path);
  try {
    await onListening();
    await Promise.race([server.stopped, interrupted]);
  } finally {
    await rm(path, { force: true });
    await server.close();
  }
}
