import { isRecord } from "../envelope/index.ts";
import type { HandleStore } from "./handles.ts";

/** A file of an answer that is stored under a handle. */
export interface KeptMedia {
  /** The handle of the stored file. */
  readonly handle: string;
  /** The media type of the file, without parameters. */
  readonly mimeType: string;
  /** The size of the file in bytes. */
  readonly bytes: number;
  /** The file name or URL, if known. */
  readonly name: string | undefined;
}

/** The maximum number of files in one answer. Images cost tokens, so the rest is not shown. */
const MAX_BLOCKS = 8;
/** The maximum total size of the files in one answer, in bytes. */
export const MAX_SHOWN_BYTES = 4_000_000;
const MAX_DEPTH = 6;
const MAX_LOOKED_AT = 2_000;

function textValue(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/**
 * Finds both forms of a file in data: a content block of an MCP server, and the file object of
 * an HTTP API.
 */
function mediaIn(value: Record<string, unknown>): KeptMedia | undefined {
  const handle = textValue(value["handle"]);
  const mimeType = textValue(value["mimeType"]) ?? textValue(value["content_type"]);
  const bytes = value["bytes"] ?? value["size"];
  if (handle === undefined || mimeType === undefined || typeof bytes !== "number") return undefined;
  const name = textValue(value["filename"]) ?? textValue(value["uri"]);
  return { handle, mimeType: mimeType.split(";", 1)[0]!.trim(), bytes, name };
}

/** The files in an answer, each once. */
export function findMedia(data: unknown): KeptMedia[] {
  const found = new Map<string, KeptMedia>();
  let looked = 0;
  const look = (value: unknown, depth: number): void => {
    if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return;
    if ((looked += 1) > MAX_LOOKED_AT) return;
    const media = isRecord(value) ? mediaIn(value) : undefined;
    if (media !== undefined) found.set(media.handle, media);
    else for (const inner of Object.values(value)) look(inner, depth + 1);
  };
  look(data, 0);
  return [...found.values()].slice(0, MAX_BLOCKS);
}

/** A stored file in base64. Undefined if the handle is unknown or belongs to a text. */
export async function readMedia(
  store: HandleStore | undefined,
  handle: string,
): Promise<string | undefined> {
  const kept = await store?.read(handle, 0, Number.MAX_SAFE_INTEGER).catch(() => undefined);
  return kept?.encoding === "base64" ? kept.text : undefined;
}
