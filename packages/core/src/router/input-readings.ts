import { agentErrorCode, errorFromUnknown } from "../envelope/index.ts";
import type { OperationSpec } from "../operation/index.ts";
import type { CardKit } from "./card-kit.ts";
import { afterRequests, requestCount } from "./request-count.ts";
import type { RoutedRequest } from "./routed-operation.ts";
import type { RouteAnswer } from "./route.ts";

type Run = (request: RoutedRequest) => Promise<RouteAnswer>;

/** Returns the answer, or undefined if the object does not exist. Other errors are thrown. */
async function unlessMissing(
  run: Run,
  request: RoutedRequest,
): Promise<{ readonly answer?: RouteAnswer; readonly error?: unknown; readonly requests: number }> {
  try {
    const answer = await run(request);
    return { answer, requests: answer.upstreamRequests };
  } catch (thrown) {
    const error = errorFromUnknown(thrown);
    if (agentErrorCode(error) !== "NOT_FOUND") throw thrown;
    return { error: thrown, requests: requestCount(error) };
  }
}

/**
 * Runs a read. If its object is not found, tries the other meanings of the input. If none is found
 * either, the first error is thrown.
 */
export async function runReadings(
  spec: OperationSpec,
  { otherReadings }: CardKit,
  { batch, ...request }: RoutedRequest,
  run: Run,
): Promise<RouteAnswer> {
  const first = batch === undefined ? request : { ...request, batch };
  const others = spec.effect === "read" ? (otherReadings?.(request.params, spec) ?? []) : [];
  if (others.length === 0) return run(first);
  const tried = await unlessMissing(run, first);
  let { answer, requests } = tried;
  for (const params of others) {
    if (answer !== undefined) break;
    const next = await unlessMissing(run, { ...request, params });
    requests += next.requests;
    ({ answer } = next);
  }
  if (answer === undefined) throw afterRequests(tried.error, requests);
  return { ...answer, upstreamRequests: requests };
}
