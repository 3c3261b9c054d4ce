import { writeFile } from "node:fs/promises";
import { isRecord } from "@waybill/core/schema";
import type { HandleStore } from "@waybill/core";
import { whyNot } from "../sources/describe.ts";
import { pathToWrite } from "./path-to-write.ts";
import type { Words } from "../command.ts";
import { note, warn } from "../io.ts";
import type { Io } from "../io.ts";

const MAX_DEPTH = 6;

/** The first file in an answer that is stored under a handle. */
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

/** The file name that `--save` gives. */
interface FileToSave {
  readonly shown: string;
  readonly path: string;
}

/**
 * The path that `--save` writes to; undefined without the option. Throws before the call if the
 * path is refused.
 */
export async function placeToSave({ values }: Words, io: Io): Promise<FileToSave | undefined> {
  const shown = values.get("save");
  return shown === undefined ? undefined : { shown, path: await pathToWrite(io, shown) };
}

/**
 * Writes the file in an answer: an image, audio, any download, or text. If writing fails, the
 * caller gets a warning and still gets the answer.
 */
export async function saveFile(
  io: Io,
  { shown, path }: FileToSave,
  data: unknown,
  handles: HandleStore | undefined,
): Promise<void> {
  const bytes = typeof data === "string" ? Buffer.from(data) : await findFile(data, handles);
  if (bytes === undefined) {
    await warn(io, [`the answer contains no file, so ${shown} was not written`]);
    return;
  }
  try {
    await writeFile(path, bytes);
  } catch (error) {
    await warn(io, [`${shown} cannot be written: ${whyNot(error)}`]);
    return;
  }
  await note(io, `waybill: wrote ${bytes.length} bytes to ${shown}`);
}
