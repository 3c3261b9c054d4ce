import { isUtf8 } from "node:buffer";

/** The charset of a media type. */
function charsetIn(contentType: string): string {
  return /charset="?([\w-]+)/iu.exec(contentType)?.[1]?.toLowerCase() ?? "utf-8";
}

/** Whether the media type of a text names another charset than UTF-8. */
export function isOtherCharset(contentType: string): boolean {
  return !/^utf-?8$/u.test(charsetIn(contentType));
}

/** Decodes a body in the charset of its media type, if that is supported. */
export function decodeText(body: Uint8Array, contentType = ""): string {
  try {
    return new TextDecoder(charsetIn(contentType)).decode(body);
  } catch {
    return new TextDecoder().decode(body);
  }
}

/** Whether bytes that are declared as text are not text. Decoding them would lose information. */
export function isBinary(body: Uint8Array, contentType = ""): boolean {
  return !isOtherCharset(contentType) && (body.includes(0) || !isUtf8(body));
}

/** A warning for data in which invalid bytes were replaced. */
export function replacedBytesNote(body: Uint8Array, contentType = ""): string[] {
  const isWhole = isOtherCharset(contentType) || isUtf8(body);
  return isWhole ? [] : ["The answer is not valid UTF-8: invalid bytes were replaced by \uFFFD"];
}
