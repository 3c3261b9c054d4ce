import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { CallError, isCallError } from "@waybill/core";
import { parseStrictJson } from "@waybill/core/schema";
import type { Io } from "../io.ts";
import { UsageError, isUsageError } from "./usage-error.ts";

const MAX_BYTES = 64_000_000;

function interrupted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = (): void => reject(new CallError("ABORTED", "Interrupted while reading stdin"));
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}

async function readAll(stdin: Io["stdin"]): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stdin) {
    const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
    size += bytes.byteLength;
    if (size > MAX_BYTES)
      throw new UsageError(`stdin has more than ${MAX_BYTES} bytes; pass less data`);
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

async function readStdin({ stdin, signal }: Io): Promise<Uint8Array> {
  try {
    const all = readAll(stdin);
    return await (signal === undefined ? all : Promise.race([all, interrupted(signal)]));
  } catch (error) {
    if (isUsageError(error) || isCallError(error)) throw error;
    throw new UsageError(`stdin cannot be read: ${readErrorMessage(error)}`);
  }
}

async function readNamedFile(name: string, { cwd }: Io): Promise<Uint8Array> {
  try {
    return await readFile(resolve(cwd, name));
  } catch (error) {
    throw new UsageError(`${name} cannot be read: ${readErrorMessage(error)}`);
  }
}

function readErrorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function decodeUtf8Text(bytes: Uint8Array, place: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new UsageError(`${place} is not UTF-8 text; save it as UTF-8`);
  }
}

/**
 * Reads text from the argument, from stdin (`-`) or from a file (`@name`), and says where it came
 * from.
 */
export async function readText(
  flag: string,
  text: string,
  io: Io,
): Promise<{ place: string; text: string }> {
  if (text === "-") return { place: "stdin", text: decodeUtf8Text(await readStdin(io), "stdin") };
  if (!text.startsWith("@")) return { place: flag, text };
  const place = text.slice(1);
  return { place, text: decodeUtf8Text(await readNamedFile(place, io), place) };
}

/** Parses a flag's JSON from the argument, from stdin (`-`) or from a file (`@name`). */
export async function readJson(flag: string, text: string, io: Io): Promise<unknown> {
  const { place, text: json } = await readText(flag, text, io);
  if (json.trim() === "") throw new UsageError(`${place} is empty; ${flag} needs JSON`);
  try {
    // Some editors add a byte order mark, which is not part of the value.
    return parseStrictJson(json.replace(/^\uFEFF/, ""), { what: place });
  } catch (error) {
    const hint = `${flag} takes JSON, - for stdin, or @FILE`;
    throw new UsageError(readErrorMessage(error), { hint });
  }
}
