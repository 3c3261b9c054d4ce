import { Input } from "../input.ts";
import { StoreError } from "../store/errors.ts";
import type { Refusal } from "../store/errors.ts";
import type { Urls } from "../urls.ts";
import { Moved, RestCall } from "./call.ts";
import type { CallFacts } from "./call.ts";
import { createMatcher } from "./match.ts";
import type { Match } from "./match.ts";
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

const matcher = createMatcher(ROUTES);

export function matchRoute(method: string, path: string): Match | undefined {
  return matcher(method, path);
}

/** A field of the wrong kind is refused in GitHub's words, whatever else the request holds. */
export function restInput(value: unknown): Input {
  return new Input(value, (name, wrong, kind) => {
    const article = kind === "array" ? "an" : "a";
    const message = `For 'properties/${name}', ${JSON.stringify(wrong)} is not ${article} ${kind}.`;
    throw new StoreError("UNPROCESSABLE", `Invalid request.\n\n${message}`);
  });
}

/** How many operations are answered; the documentation says so too. */
export const SERVED = Object.keys(ROUTES);

export function answer(match: Match, facts: Omit<CallFacts, "params">): Reply {
  try {
    return match.route.handler(new RestCall({ ...facts, params: match.params }));
  } catch (error) {
    if (error instanceof StoreError) return refusal(error);
    if (error instanceof Moved) return moved(error, match, facts.url, facts.urls);
    throw error;
  }
}

/** A repository that is not there and one that may not be seen look the same. */
function refusal({ refusal: why, message, errors }: StoreError): Reply {
  const status = STATUSES[why];
  const text =
    why === "NOT_FOUND" && message.startsWith("Could not resolve") ? "Not Found" : message;
  return failure(status, text, errors.length > 0 ? { errors } : {});
}

/** Old names lead to the repository's number, which never changes. */
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
