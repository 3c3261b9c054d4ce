import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { isRecord } from "@waybill/core/schema";
import type { HandleStore } from "@waybill/core";
import { note, warn } from "../io.ts";
import type { Io } from "../io.ts";

const MAX_DEPTH = 6;

/** The first file of an answer that is stored under a handle. */
async function findFile(
  value: unknown,
  handles: HandleStore | undefined,
  depth = 0,
): Promise<Buffer | undefined> {
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return undefined;
  const { handle, base64 } = isRecord(value) ? value : {};
  if (typeof base64 === "string") return Buffer.from(base64, "base64");
  if (typeof handle === "string") {
    const kept = await handles?.read(handle, 0, Number.MAX_SAFE_INTEGER);
    if (kept?.encoding === "base64") return Buffer.from(kept.text, "base64");
  }
  for (const inner of Object.values(value)) {
    const found = await findFile(inner, handles, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Writes the file of an answer: an image, audio, any download, or text. */
export async function saveFile(
  io: Io,
  path: string,
  data: unknown,
  handles: HandleStore | undefined,
): Promise<void> {
  const bytes = typeof data === "string" ? Buffer.from(data) : await findFile(data, handles);
  if (bytes === undefined) {
    await warn(io, [`the answer contains no file, so ${path} was not written`]);
    return;
  }
  await writeFile(resolve(io.cwd, path), bytes);
  await note(io, `waybill: wrote ${bytes.length} bytes to ${path}`);
}
