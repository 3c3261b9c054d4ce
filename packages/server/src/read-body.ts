import { CallError, fail, isRecord } from "@waybill/core";
import type { Asked } from "./routes/route.ts";
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

async function readText({ request, header, limits }: Asked): Promise<string> {
  const maxBytes = limits.maxBodyBytes;
  const length = header("content-length");
  if (length === undefined) return readWithin(request, maxBytes);
  if (Number(length) > maxBytes) throw tooLarge(maxBytes);
  return request.text();
}

function invalid(message: string): CallError {
  return new CallError("VALIDATION_ERROR", message, { outcome: "not_applied" });
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
  const body = await readText(asked);
  if (body === "") return {};
  // Without it a page of another site could send a body here that no browser asks about first.
  assertJsonType(asked.header("content-type"));
  const members = parseStrictly(body, asked.limits.maxDepth);
  const shape = `The body must be an object with ${names.join(" and ")}`;
  if (!isRecord(members)) throw invalid(shape);
  const stray = Object.keys(members).find((name) => !names.includes(name));
  if (stray !== undefined) throw invalid(`${shape}; not ${JSON.stringify(stray.slice(0, 80))}`);
  return members;
}
