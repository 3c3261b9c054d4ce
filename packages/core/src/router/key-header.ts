// Sends idempotency keys in the header that a card names.
import type { CardRequest, PreparedCard } from "../cards/index.ts";
import { fail } from "../envelope/index.ts";
import type { Attempt } from "./route.ts";

/** Only REST requests can have the header, so every route must send REST requests. */
export function honoursKeys({ order, parts, idempotencyHeader }: PreparedCard): boolean {
  const isRest = order
    .flatMap((route) => parts[route] ?? [])
    .every((part) => part.kind === "rest" || (part.kind === "use" && part.route === "rest"));
  return isRest && idempotencyHeader !== undefined;
}

/**
 * Checks the key here, because a header allows fewer characters, and the error of the header
 * would not name the key.
 */
function assertHeaderText(key: string, header: string): void {
  if (/^[\t\x20-\x7e\x80-\xff]*$/.test(key)) return;
  const message = `contains a character that the header ${header} does not allow`;
  const issues = [{ path: "/idempotency_key", message }];
  throw fail("VALIDATION", `The idempotency key ${message}`, { outcome: "not_applied", issues });
}

/** Adds the key of the call to the request, if the request can have one. */
export function withKey(
  { idempotencyHeader: header }: PreparedCard,
  request: CardRequest,
  key: string | undefined,
): CardRequest {
  if (request.kind !== "rest" || header === undefined || key === undefined) return request;
  assertHeaderText(key, header);
  return { ...request, headers: { ...request.headers, [header]: key } };
}

/** Marks the attempt as repeatable if the key is sent to an upstream that supports keys. */
export function attemptWithKey(
  { idempotencyHeader }: PreparedCard,
  { kind }: CardRequest,
  attempt: Attempt,
): Attempt {
  const isHonoured =
    kind === "rest" && idempotencyHeader !== undefined && attempt.idempotencyKey !== undefined;
  return isHonoured ? { ...attempt, isRepeatable: true } : attempt;
}
