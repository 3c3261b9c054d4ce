import { Input } from "../input.ts";
import { StoreError } from "../store/errors.ts";
import type { Refusal } from "../store/errors.ts";
import type { Urls } from "../urls.ts";
import { Moved, RestCall } from "./call.ts";
import type { RestCallInfo } from "./call.ts";
import { bodyProblems } from "./check-body.ts";
import { LENIENCIES } from "./leniency.ts";
import { createMatcher } from "./match.ts";
import type { Match, Matcher } from "./match.ts";
import { describedOperations } from "./operations.ts";
import { failure, redirect } from "./reply.ts";
import type { Reply } from "./reply.ts";
import { ROUTES } from "./routes/index.ts";

const STATUSES: Readonly<Record<Refusal, number>> = {
  NOT_FOUND: 404,
  FORBIDDEN: 403,
  GONE: 410,
  CONFLICT: 409,
  NOT_MERGEABLE: 405,
  UNPROCESSABLE: 422,
};

let matcher: Matcher | undefined;

export function matchRoute(method: string, path: string): Match | undefined {
  matcher ??= createMatcher(ROUTES, describedOperations().operations);
  return matcher(method, path);
}

/**
 * Reads a body. A value of the wrong type that the description allows is refused with GitHub's
 * message.
 */
function restInput(value: unknown): Input {
  return new Input(value, (name, wrong, kind) => {
    const article = kind === "array" ? "an" : "a";
    const message = `For 'properties/${name}', ${JSON.stringify(wrong)} is not ${article} ${kind}.`;
    throw new StoreError("UNPROCESSABLE", `Invalid request.\n\n${message}`);
  });
}

/** The operations that the emulator serves. The documentation states their number. */
export const SERVED = Object.keys(ROUTES);

/** A request with its parsed body. */
export interface RestRequest extends Omit<RestCallInfo, "params" | "body"> {
  readonly parsedBody: unknown;
}

export function answerMatch(match: Match, { parsedBody, ...facts }: RestRequest): Reply {
  const { handler, method, template } = match.route;
  if (handler === undefined) return unserved(method, facts.url.pathname);
  try {
    const call = new RestCall({ ...facts, body: restInput(parsedBody), params: match.params });
    // The repository is checked first: users who may not see it must not learn whether their
    // request is valid.
    if (template.startsWith("/repos/{owner}/{repo}")) void call.repository;
    checkBody(`${method} ${template}`, parsedBody);
    return handler(call);
  } catch (error) {
    if (error instanceof StoreError) return refusalReply(error);
    if (error instanceof Moved) return moved(error, match, facts.url, facts.urls);
    throw error;
  }
}

/** Says that an endpoint of GitHub is not emulated, because 404 would be wrong. */
function unserved(method: string, path: string): Reply {
  return failure(501, `The embedded GitHub does not answer ${method} ${path}`);
}

function checkBody(key: string, body: unknown): void {
  const described = describedOperations().bodies[key];
  if (described === undefined || (body === undefined && !described.required)) return;
  const lenient = LENIENCIES.find(({ operations }) => operations.includes(key));
  const problems = bodyProblems(described.schema, lenient?.described(body) ?? body ?? null);
  if (problems.length === 0) return;
  throw new StoreError("UNPROCESSABLE", `Invalid request.\n\n${problems.join("\n")}`);
}

/** A missing repository and a hidden one get the same answer. */
function refusalReply({ refusal: why, message, errors }: StoreError): Reply {
  const status = STATUSES[why];
  const text =
    why === "NOT_FOUND" && message.startsWith("Could not resolve") ? "Not Found" : message;
  return failure(status, text, errors.length > 0 ? { errors } : {});
}

/** Redirects an old name to the repository's id, which never changes. */
function moved({ repository }: Moved, { route, params }: Match, url: URL, urls: Urls): Reply {
  const prefix = `/repos/${params["owner"]!}/${params["repo"]!}`;
  const rest = decodeURI(url.pathname).slice(prefix.length);
  const location = `${urls.api}/repositories/${repository.id}${encodeURI(rest)}${url.search}`;
  const isRead = route.method === "GET";
  const message = isRead ? "Moved Permanently" : "Temporary Redirect";
  const docs =
    "https://docs.github.com/rest/guides/best-practices-for-using-the-rest-api#follow-redirects";
  return redirect(isRead ? 301 : 307, location, {
    message,
    url: location,
    documentation_url: docs,
  });
}
