import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { CallError, fail, isRecord, parseStrictJson } from "@waybill/core";
import type { Asked } from "./routes/route.ts";

function tooLarge(maxBytes: number): CallError {
  const message = `The body is over ${maxBytes} bytes`;
  return fail("TOO_LARGE", message, { outcome: "not_applied" });
}

/** A body is read only as far as it may be, whatever length it claims. */
async function readWeb(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The same of Node's own stream, by its events: to wait for each chunk costs more than all of them. */
function readNode(incoming: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    incoming.on("data", (chunk: Buffer) => {
      size += chunk.byteLength;
      if (size <= maxBytes) chunks.push(chunk);
      else reject(tooLarge(maxBytes));
    });
    incoming.on("end", () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    incoming.on("error", () => reject(new CallError("ABORTED", "The request was not sent whole")));
  });
}

function readBytes({ request, header, limits, incoming }: Asked): Buffer | Promise<Buffer> {
  const { maxBodyBytes: maxBytes } = limits;
  if (Number(header("content-length") ?? 0) > maxBytes) throw tooLarge(maxBytes);
  if (incoming !== undefined) return readNode(incoming, maxBytes);
  return request.body === null ? Buffer.alloc(0) : readWeb(request.body, maxBytes);
}

function invalid(message: string): CallError {
  return new CallError("VALIDATION_ERROR", message, { outcome: "not_applied" });
}

function textOf(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString("utf8");
  throw invalid("The body is not UTF-8 text");
}

function assertJsonType(type: string | undefined): void {
  if (type === "application/json") return;
  if (type !== undefined && /^application\/(?:[\w.+-]+\+)?json(?:\s*;|$)/iu.test(type)) return;
  throw invalid("The body must be JSON, with the header content-type: application/json");
}

/** The members of a request's body, of which only these are known. */
export async function readMembers(
  asked: Asked,
  names: readonly string[],
): Promise<Readonly<Record<string, unknown>>> {
  const bytes = await readBytes(asked);
  if (bytes.byteLength === 0) return {};
  // Without it a page of another site could send a body here that no browser asks about first.
  assertJsonType(asked.header("content-type"));
  const members = parseStrictJson(textOf(bytes), { maxDepth: asked.limits.maxDepth });
  const shape = `The body must be an object with ${names.join(" and ")}`;
  if (!isRecord(members)) throw invalid(shape);
  const stray = Object.keys(members).find((name) => !names.includes(name));
  if (stray !== undefined) throw invalid(`${shape}; not ${JSON.stringify(stray.slice(0, 80))}`);
  return members;
}
