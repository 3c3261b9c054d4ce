import { createHash } from "node:crypto";

/** GitHub's digest of an uploaded file. */
export function getDigest({ content }: { readonly content: Uint8Array }): string {
  return `sha256:${createHash("sha256").update(content).digest("hex")}`;
}
