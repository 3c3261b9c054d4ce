import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { CallError, fail, isCallError } from "@waybill/core";
import { isRecord, parseStrictJson } from "@waybill/core/schema";
import { notReceivedError } from "./ending.ts";
import type { Asked } from "./routes/route.ts";

function bodyTooLarge(maxBytes: number): CallError {
  const message = `The request body is larger than the limit of ${maxBytes} bytes. Send less data`;
  return fail("TOO_LARGE", message, { outcome: "not_applied" });
}

function notWhole(): CallError {
  return new CallError("ABORTED", "The request ended before its body was complete. Send it again");
}

/** Reads at most `maxBytes`, regardless of the declared length. */
async function readWeb(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > maxBytes) throw bodyTooLarge(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Like `readWeb`, for Node's own stream. It uses events, because awaiting each chunk is slower. */
function readNode(
  incoming: IncomingMessage,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    incoming.on("data", (chunk: Buffer) => {
      size += chunk.byteLength;
      if (size <= maxBytes) chunks.push(chunk);
      else reject(bodyTooLarge(maxBytes));
    });
    incoming.on("end", () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    incoming.on("error", () => reject(notWhole()));
    // A server that is ending does not wait for the rest.
    const stop = (): void => reject(isCallError(signal.reason) ? notReceivedError() : notWhole());
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}

let turn: Promise<void> | undefined;

/** Waits until Node has processed the input that has arrived so far. */
function nextTurn(): Promise<void> {
  turn ??= new Promise((resolve) => {
    setImmediate(() => {
      turn = undefined;
      resolve();
    });
  });
  return turn;
}

/**
 * A small body usually arrives with the headers and is complete one turn later. Reading it then
 * is much cheaper than using stream events.
 */
async function readWhole(
  { signal, limits }: Asked,
  incoming: IncomingMessage,
  length: number,
): Promise<Buffer> {
  await nextTurn();
  if (!incoming.complete || incoming.readableLength !== length) {
    if (incoming.destroyed) throw notWhole();
    return readNode(incoming, limits.maxBodyBytes, signal);
  }
  const bytes = incoming.read() as Buffer;
  // Reads to the end, because Node would drain the rest later.
  incoming.read();
  return bytes;
}

function readBytes(asked: Asked): Buffer | Promise<Buffer> {
  const { request, header, limits, incoming, signal } = asked;
  const { maxBodyBytes: maxBytes } = limits;
  const length = Number(header("content-length") ?? 0);
  if (length > maxBytes) throw bodyTooLarge(maxBytes);
  if (incoming !== undefined) {
    return length > 0 ? readWhole(asked, incoming, length) : readNode(incoming, maxBytes, signal);
  }
  return request.body === null ? Buffer.alloc(0) : readWeb(request.body, maxBytes);
}

function invalidRequestBody(message: string): CallError {
  return new CallError("VALIDATION_ERROR", message, { outcome: "not_applied" });
}

function decodeRequestBody(bytes: Buffer): string {
  const text = bytes.toString("utf8");
  // The replacement character for invalid bytes. Valid text may contain it too.
  if (!text.includes("\uFFFD") || isUtf8(bytes)) return text;
  throw invalidRequestBody("The body is not UTF-8 text; encode it as UTF-8");
}

function assertJsonType(type: string | undefined): void {
  if (type === "application/json") return;
  if (type !== undefined && /^application\/(?:[\w.+-]+\+)?json(?:\s*;|$)/iu.test(type)) return;
  throw invalidRequestBody("The body must be JSON, with the header content-type: application/json");
}

function getShape(names: readonly string[]): string {
  return `The body must be an object with ${names.join(" and ")}`;
}

/** Reads the members of a request body. Unknown members are refused. */
export async function readMembers(
  asked: Asked,
  names: readonly string[],
): Promise<Readonly<Record<string, unknown>>> {
  const bytes = await readBytes(asked);
  if (bytes.byteLength === 0) return {};
  // Checks the content type, because a page of another site can send some types without the
  // browser asking this server first.
  assertJsonType(asked.header("content-type"));
  const members = parseStrictJson(decodeRequestBody(bytes), { maxDepth: asked.limits.maxDepth });
  if (!isRecord(members)) throw invalidRequestBody(getShape(names));
  for (const name in members) {
    if (!names.includes(name))
      throw invalidRequestBody(`${getShape(names)}; not ${JSON.stringify(name.slice(0, 80))}`);
  }
  return members;
}
