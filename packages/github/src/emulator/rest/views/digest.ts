import { createHash } from "node:crypto";

/** What GitHub says of the content of a file that was uploaded. */
export function digestOf({ content }: { readonly content: Uint8Array }): string {
  return `sha256:${createHash("sha256").update(content).digest("hex")}`;
}
