import { createHash } from "node:crypto";
import { fileError } from "../sqlite/index.ts";
import type { CallRow } from "./schema.ts";

/** The part of a record that its checksum covers. */
export type Content = Pick<CallRow, "digest" | "result" | "trail">;

function computeChecksum({ digest, result, trail }: Content): string {
  const text = JSON.stringify([digest, result, trail]);
  return createHash("sha256").update(text).digest("base64url");
}

/**
 * A checksum for each record, because SQLite detects damaged pages, but not a changed character
 * inside a value.
 */
export function withChecksum(content: Content): Content & { readonly checksum: string } {
  return { ...content, checksum: computeChecksum(content) };
}

/** Throws if the content has changed since it was written. Older versions wrote no checksum. */
export function assertIntact(row: CallRow): CallRow {
  if (row.checksum !== null && row.checksum !== computeChecksum(row))
    throw fileError("FILE_DAMAGED");
  return row;
}
