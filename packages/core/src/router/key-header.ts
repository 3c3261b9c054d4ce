// The header in which an upstream takes an idempotency key, where a card names one.
import type { CardRequest, PreparedCard } from "../cards/index.ts";
import { fail } from "../envelope/index.ts";
import type { Attempt } from "./route.ts";

/** Only REST requests carry the header, so every route must send one. */
export function honoursKeys({ order, parts, idempotencyHeader }: PreparedCard): boolean {
  const isRest = order
    .flatMap((route) => parts[route] ?? [])
    .every((part) => part.kind === "rest" || (part.kind === "use" && part.route === "rest"));
  return isRest && idempotencyHeader !== undefined;
}

/** A header takes less than a key may hold, and says nothing of whose it is when it refuses. */
function assertHeaderText(key: string, header: string): void {
  if (/^[\t\x20-\x7e\x80-\xff]*$/.test(key)) return;
  const message = `contains a character that the header ${header} does not allow`;
  const issues = [{ path: "/idempotency_key", message }];
  throw fail("VALIDATION", `The idempotency key ${message}`, { outcome: "not_applied", issues });
}

/** The request with the key of its call, where it can carry one. */
export function withKey(
  { idempotencyHeader: header }: PreparedCard,
  request: CardRequest,
  key: string | undefined,
): CardRequest {
  if (request.kind !== "rest" || header === undefined || key === undefined) return request;
  assertHeaderText(key, header);
  return { ...request, headers: { ...request.headers, [header]: key } };
}

/** An upstream that honours the key makes sending twice harmless, where the key is sent. */
export function attemptWithKey(
  { idempotencyHeader }: PreparedCard,
  { kind }: CardRequest,
  attempt: Attempt,
): Attempt {
  const isHonoured =
    kind === "rest" && idempotencyHeader !== undefined && attempt.idempotencyKey !== undefined;
  return isHonoured ? { ...attempt, isRepeatable: true } : attempt;
}
