import { fail } from "@waybill/core";
import { keptFor } from "@waybill/core/cards";
import { findMedia, readMedia } from "@waybill/core/protocol";
import type { HandleStore } from "@waybill/core";
import type { Route } from "../routes/route.ts";
import type { CallDetail } from "./wire.ts";

/** The files of an answer. An envelope that was cut is text, so no file is found in it. */
export function answerFiles({ envelope }: Pick<CallDetail, "envelope">): Pick<CallDetail, "files"> {
  const files = findMedia(envelope).map(({ handle, mimeType, bytes, name }) => ({
    handle,
    mime_type: mimeType,
    bytes,
    ...(name !== undefined && { name }),
  }));
  return files.length === 0 ? {} : { files };
}

/** Headers that keep a browser from showing or running a file that an upstream made. */
const HEADERS = {
  "content-type": "application/octet-stream",
  "content-disposition": "attachment",
  "content-security-policy": "sandbox; default-src 'none'",
  "x-content-type-options": "nosniff",
};

/** Answers with the bytes of a file, if the caller may read its handle. */
export function fileRoute(handles: HandleStore): Route {
  return async ({ id, caller }) => {
    const base64 = await readMedia(keptFor(handles, caller.identity), id);
    if (base64 !== undefined)
      return new Response(Buffer.from(base64, "base64"), { headers: HEADERS });
    throw fail("NOT_FOUND", "This file is not stored, or belongs to another caller", {
      hint: "Files expire. Repeat the call that returned it",
    });
  };
}
