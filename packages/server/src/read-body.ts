import { CallError, fail, isRecord } from "@waybill/core";
import type { HttpLimits } from "./options.ts";
import { parseStrictly } from "./strict-json.ts";

function tooLarge(maxBytes: number): CallError {
  const message = `The body is over ${maxBytes} bytes`;
  return fail("TOO_LARGE", message, { outcome: "not_applied" });
}

/** A body of unknown length is read only as far as it may be. */
async function readWithin(request: Request, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let size = 0;
  let read = "";
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) throw tooLarge(maxBytes);
    read += decoder.decode(chunk, { stream: true });
  }
  return read + decoder.decode();
}

async function readText(request: Request, maxBytes: number): Promise<string> {
  const length = request.headers.get("content-length");
  if (length === null) return readWithin(request, maxBytes);
  if (Number(length) > maxBytes) throw tooLarge(maxBytes);
  return request.text();
}

function invalid(message: string): CallError {
  return new CallError("VALIDATION_ERROR", message, { outcome: "not_applied" });
}

function assertJsonType(request: Request): void {
  const type = request.headers.get("content-type");
  if (type !== null && /^application\/(?:[\w.+-]+\+)?json(?:\s*;|$)/iu.test(type)) return;
  throw invalid("The body must be JSON, with the header content-type: application/json");
}

/** The members of a request's body, of which only these are known. */
export async function readMembers(
  request: Request,
  names: readonly string[],
  { maxBodyBytes, maxDepth }: HttpLimits,
): Promise<Readonly<Record<string, unknown>>> {
  const body = await readText(request, maxBodyBytes);
  if (body === "") return {};
  // Without it a page of another site could send a body here that no browser asks about first.
  assertJsonType(request);
  const members = parseStrictly(body, maxDepth);
  const shape = `The body must be an object with ${names.join(" and ")}`;
  if (!isRecord(members)) throw invalid(shape);
  const stray = Object.keys(members).find((name) => !names.includes(name));
  if (stray !== undefined) throw invalid(`${shape}; not ${JSON.stringify(stray.slice(0, 80))}`);
  return members;
}
