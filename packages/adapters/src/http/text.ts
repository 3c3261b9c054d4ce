import { isUtf8 } from "node:buffer";

/** The charset that a media type names. */
function charsetIn(contentType: string): string {
  return /charset="?([\w-]+)/iu.exec(contentType)?.[1]?.toLowerCase() ?? "utf-8";
}

/** The text of a body, in the charset that its media type names where that can be read. */
export function decodeText(body: Uint8Array, contentType = ""): string {
  try {
    return new TextDecoder(charsetIn(contentType)).decode(body);
  } catch {
    return new TextDecoder().decode(body);
  }
}

/** Whether bytes that call themselves text are none: decoded, they could not be written back. */
export function isBinary(body: Uint8Array, contentType = ""): boolean {
  return /^utf-?8$/u.test(charsetIn(contentType)) && (body.includes(0) || !isUtf8(body));
}

/** Said with data in which decoding replaced bytes. */
export function replacedBytesNote(body: Uint8Array, contentType = ""): string[] {
  const isWhole = !/^utf-?8$/u.test(charsetIn(contentType)) || isUtf8(body);
  return isWhole ? [] : ["The answer is not valid UTF-8: invalid bytes were replaced by \uFFFD"];
}
