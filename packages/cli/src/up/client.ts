import { existsSync, lstatSync } from "node:fs";
import { connect } from "node:net";
import { PATHS } from "./wire.ts";
import type { UpLine, UpRequest } from "./wire.ts";
import { socketPath } from "./socket-path.ts";

/**
 * The commands that `waybill up` runs: those that call capabilities. Other commands are about this
 * machine, or run until they are stopped.
 */
const FORWARDED: ReadonlySet<string> = new Set(["run", "chain", "code", "capabilities"]);

export interface UpStreams {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

/**
 * `unreached`: the background process did nothing. `lost`: the connection ended before the command
 * did.
 */
export type UpEnd =
  | { readonly kind: "ended"; readonly code: number }
  | { readonly kind: "unreached" }
  | { readonly kind: "lost"; readonly hasPrinted: boolean };

/**
 * Whether a process of this user listens on the socket. The request contains the whole environment,
 * so it must not go to a socket that another user created in a shared folder.
 */
function isOwnSocket(path: string): boolean {
  if (process.platform === "win32") return existsSync(path);
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isSocket() === true && found.uid === process.getuid?.();
}

/** The socket of a background process that can run the command, if there is one. */
export function upSocket(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  if (!FORWARDED.has(argv[0] ?? "") || (env["WAYBILL_UP"] ?? "") === "off") return undefined;
  const path = socketPath(env);
  return path !== undefined && isOwnSocket(path) ? path : undefined;
}

/**
 * Uses HTTP/1.0, so that the response ends with the connection and can be read without a library.
 */
function requestText(request: UpRequest): string {
  const body = JSON.stringify(request);
  const length = Buffer.byteLength(body);
  return `POST ${PATHS.command} HTTP/1.0\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n${body}`;
}

/** Reads the lines of an answer that arrives in pieces. */
class AnswerReader {
  readonly #streams: UpStreams;
  #text = "";
  #isBody = false;
  #isOk = false;
  hasPrinted = false;
  code: number | undefined;
  isRefused = false;

  constructor(streams: UpStreams) {
    this.#streams = streams;
  }

  take(piece: string): void {
    this.#text += piece;
    if (!this.#isBody && !this.#readHead()) return;
    const lines = this.#text.split("\n");
    this.#text = lines.pop() ?? "";
    if (this.#isOk) for (const line of lines) this.#read(JSON.parse(line) as UpLine);
  }

  /** Any other response means that the background process has done nothing. */
  #readHead(): boolean {
    const end = this.#text.indexOf("\r\n\r\n");
    if (end < 0) return false;
    this.#isBody = true;
    this.#isOk = /^HTTP\/1\.\d 200 /u.test(this.#text);
    this.isRefused = !this.#isOk;
    this.#text = this.#text.slice(end + 4);
    return true;
  }

  #read([kind, value]: UpLine): void {
    if (kind === "exit") this.code = value;
    else if (kind === "refused") this.isRefused = true;
    else {
      this.hasPrinted = true;
      this.#streams[kind](value);
    }
  }
}

/** Runs a command in the process of `waybill up`. An interrupted command still gets its answer. */
export function runInUp(
  path: string,
  request: UpRequest,
  streams: UpStreams,
  signal: AbortSignal,
): Promise<UpEnd> {
  const reader = new AnswerReader(streams);
  return new Promise((resolve) => {
    let isSent = false;
    const socket = connect({ path, allowHalfOpen: true });
    socket.setEncoding("utf8");
    socket.on("connect", () => {
      isSent = true;
      socket.write(requestText(request));
    });
    socket.on("data", (piece: string) => {
      reader.take(piece);
      // Nothing follows the exit code, so the socket is not closed, which saves a twentieth of the
      // start time.
      if (reader.code !== undefined) resolve({ kind: "ended", code: reader.code });
    });
    socket.on("end", () => socket.end());
    socket.on("error", () => {});
    socket.on("close", () => {
      if (reader.isRefused || !isSent) resolve({ kind: "unreached" });
      else resolve({ kind: "lost", hasPrinted: reader.hasPrinted });
    });
    signal.addEventListener("abort", () => socket.end(), { once: true });
  });
}
