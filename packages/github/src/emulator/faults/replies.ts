import { failure, json } from "../rest/reply.ts";
import type { Reply } from "../rest/reply.ts";
import type { User } from "../store/model.ts";

const DOCS = "https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api";

/** The answer when the rate limit is used up: GraphQL sends 200 with an error, REST sends 403. */
export function primaryLimit(user: User, isGraphql: boolean): Reply {
  const message = `API rate limit exceeded for user ID ${user.id}.`;
  if (isGraphql) return json(200, { errors: [{ type: "RATE_LIMITED", message }] });
  return json(403, { message, documentation_url: DOCS, status: "403" });
}

export function secondaryLimit(retryAfter: number): Reply {
  const message =
    "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.";
  const body = { message, documentation_url: `${DOCS}#about-secondary-rate-limits`, status: "403" };
  return json(403, body, { "retry-after": String(retryAfter) });
}

const WORDS: Readonly<Record<number, string>> = {
  401: "Bad credentials",
  404: "Not Found",
  422: "Validation Failed",
  429: "Too Many Requests",
  500: "Server Error",
  502: "Server Error",
  503: "Service Unavailable",
};

export function statusReply(
  status: number,
  body: string | undefined,
  headers: Readonly<Record<string, string>>,
): Reply {
  if (body === undefined) return { ...failure(status, WORDS[status] ?? "Error"), headers };
  const type = body.trimStart().startsWith("<") ? "text/html" : "application/json; charset=utf-8";
  return { status, headers: { "content-type": type, ...headers }, body: Buffer.from(body) };
}

export const garbage: Reply = {
  status: 200,
  headers: { "content-type": "text/html; charset=utf-8" },
  body: Buffer.from("<!DOCTYPE html>\n<html><body><h1>Unicorn!</h1></body></html>\n"),
};
