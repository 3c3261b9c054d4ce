import { createHash } from "node:crypto";
import { isInputObject } from "../input.ts";
import type { Reply } from "../rest/reply.ts";
import type { WireRequest } from "./request.ts";
import { replyBytes } from "./wire.ts";

/** When the object in the answer was last changed, if GitHub sends that. */
function lastModified({ body }: Reply): Date | undefined {
  if (!isInputObject(body)) return undefined;
  const commit = isInputObject(body["commit"]) ? body["commit"] : body;
  const committer = isInputObject(commit["committer"]) ? commit["committer"]["date"] : undefined;
  const time = body["updated_at"] ?? committer;
  return typeof time === "string" ? new Date(time) : undefined;
}

function isUnchanged(headers: WireRequest["headers"], etag: string, changed?: Date): boolean {
  const known = headers["if-none-match"];
  if (known !== undefined) return known.split(/,\s*/).includes(etag);
  const since = Date.parse(headers["if-modified-since"] ?? "");
  return changed !== undefined && Math.floor(changed.getTime() / 1000) * 1000 <= since;
}

/** Adds validators for the next request, and answers 304 if the client's validators still match. */
export function withValidators(reply: Reply, { method, headers }: WireRequest): Reply {
  if ((method !== "GET" && method !== "HEAD") || reply.status !== 200) return reply;
  const etag = `W/"${createHash("sha256").update(replyBytes(reply)).digest("hex")}"`;
  const changed = lastModified(reply);
  const validators = {
    etag,
    "cache-control": "private, max-age=60, s-maxage=60",
    ...(changed === undefined ? {} : { "last-modified": changed.toUTCString() }),
  };
  const wired = { ...reply, headers: { ...validators, ...reply.headers } };
  return isUnchanged(headers, etag, changed) ? { ...wired, status: 304, body: undefined } : wired;
}
