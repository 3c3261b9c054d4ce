import { errorFromUnknown } from "@waybill/core";
import type { WaybillOptions } from "@waybill/core";
import type { HandleStore } from "@waybill/state";

type KeptTexts = NonNullable<WaybillOptions["handles"]>;

/**
 * Every UTF-16 code unit has two bytes in this encoding. So the position of a part in the file is
 * twice its position in the text.
 */
const ENCODING = "utf16le";
const UNIT = 2;
const CONTENT_TYPE = "text/plain; charset=utf-16le";
const BASE64 = "; encoding=base64";
const OWNER = /; owner=([\w-]+)/u;

function ownerIn(contentType: string): { owner?: string } {
  const [, owner] = OWNER.exec(contentType) ?? [];
  return owner === undefined ? {} : { owner: Buffer.from(owner, "base64url").toString() };
}

function storedContentType(encoding: string | undefined, owner: string | undefined): string {
  const note = owner === undefined ? "" : `; owner=${Buffer.from(owner).toString("base64url")}`;
  return `${CONTENT_TYPE}${encoding === "base64" ? BASE64 : ""}${note}`;
}

function isUnknown(error: unknown): boolean {
  return errorFromUnknown(error).details.code === "NOT_FOUND";
}

/** Stores text that a token limit cut off, and reads it by handle. */
export function keptTexts(store: HandleStore): KeptTexts {
  return {
    put: (text, { encoding, owner }) =>
      store.put(Buffer.from(text, ENCODING), { contentType: storedContentType(encoding, owner) }),
    async read(handle, offset, length) {
      const range = { offset: offset * UNIT, length: Math.min(length, 2 ** 48) * UNIT };
      try {
        const { part, bytes, contentType } = await store.read(handle, range);
        const text = Buffer.from(part).toString(ENCODING);
        const kept = { text, total: bytes / UNIT, ...ownerIn(contentType) };
        return contentType.includes(BASE64) ? { ...kept, encoding: "base64" } : kept;
      } catch (error) {
        if (isUnknown(error)) return undefined;
        throw error;
      }
    },
  };
}
