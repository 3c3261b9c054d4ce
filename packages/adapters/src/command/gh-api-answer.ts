import { graphqlFailure, graphqlStatusFailure, httpFailure } from "@waybill/core/cards";
import type { UpstreamFailure } from "@waybill/core/cards";
import { rootFields, readGraphql } from "../graphql/index.ts";
import type { GraphqlBody } from "../graphql/index.ts";
import { abnormalEnd, failure, noStatusLine, toCallError } from "./gh-failure.ts";
import { sentRequests } from "./gh-redirect.ts";
import { refuseTruncated } from "./gh-run.ts";
import type { GhData, GhRun } from "./gh-run.ts";
import { parseHttpOutput } from "./http-output.ts";
import type { HttpOutput } from "./http-output.ts";
import { parseJson, decodeOutput } from "./parse.ts";

/**
 * `gh` follows a 301, 302 or 303 by reading the new address, which looks like success. It
 * follows a 307 or 308 with the same request, and only if the request has no body.
 */
function followedRedirect({ request, effect, result }: GhRun): UpstreamFailure | undefined {
  const requests = sentRequests(result.stderr);
  if (effect === "read" || requests.length < 2) return undefined;
  if (request.kind === "rest" && requests.at(-1) === request.method.toUpperCase()) return undefined;
  const hasBody =
    request.kind === "graphql" || (request.kind === "rest" && request.body !== undefined);
  const message =
    "GitHub redirected the write, and gh followed the redirect with a read. Use the new name of the repository or user";
  // `gh` cannot repeat this request, but another route may.
  return failure("ADAPTER_UNSUPPORTED", hasBody ? "not_applied" : "unknown", message);
}

function readHttp(run: GhRun): HttpOutput {
  const { result } = run;
  const http = parseHttpOutput(result.stdout);
  if (http !== undefined && result.signal === null) return http;
  throw toCallError(abnormalEnd(result) ?? noStatusLine(result));
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

function restBody(run: GhRun, { status, headers, body }: HttpOutput): unknown {
  const type = headers["content-type"] ?? "";
  if (run.result.exitCode !== 0) {
    throw toCallError(
      failure(
        "NETWORK",
        "applied",
        `gh lost the connection while it read the response (${status}). Repeat a read, but not a write`,
      ),
    );
  }
  if (body.length === 0) return null;
  if (/\bjson\b/iu.test(type)) {
    refuseTruncated(run, "applied");
    const json = parseJson(body);
    if (json !== undefined) return json.value;
    throw toCallError(
      failure(
        "SERVER",
        "applied",
        `The response (${status}) is not valid JSON. Check the host, and any proxy before it`,
      ),
    );
  }
  if (/\bhtml\b/iu.test(type)) {
    throw toCallError(
      failure(
        "SERVER",
        "unknown",
        `The response (${status}) is a web page, not JSON. Check the host`,
      ),
    );
  }
  return decodeOutput(body, run.result.truncated);
}

export function restData(run: GhRun): GhData {
  const http = readHttp(run);
  const { status, headers } = http;
  if (isSuccess(status)) {
    const moved = followedRedirect(run);
    if (moved !== undefined) throw toCallError(moved, { status });
    const redirects = Math.max(0, sentRequests(run.result.stderr).length - 1);
    return { data: restBody(run, http), headers, redirects };
  }
  const why = httpFailure({ status, headers, body: parseJson(http.body)?.value });
  throw toCallError(why, { status });
}

function graphqlBody(run: GhRun, { status, headers, body }: HttpOutput): GraphqlBody {
  const value = parseJson(body)?.value;
  if (!isSuccess(status)) {
    throw toCallError(graphqlStatusFailure({ status, headers, body: value }), { status });
  }
  const answer = readGraphql(value);
  if (answer !== undefined) return answer;
  refuseTruncated(run, "unknown");
  const isCut = body.length === 0 && run.result.exitCode !== 0;
  const message = isCut
    ? "gh lost the connection while it read the response. Check the effect of a write before you repeat it"
    : "The response is not from a GraphQL server. Check the host";
  throw toCallError(failure(isCut ? "NETWORK" : "SERVER", "unknown", message), { status });
}

export function graphqlData(run: GhRun): GhData {
  const http = readHttp(run);
  const answer = graphqlBody(run, http);
  const moved = followedRedirect(run);
  if (moved !== undefined) throw toCallError(moved);
  const { headers } = http;
  const fields = rootFields(answer, (errors, hasData) =>
    toCallError(graphqlFailure(errors, hasData, headers), { status: http.status }),
  );
  return { ...fields, headers };
}
