import type { PreparedCard } from "../cards/index.ts";
import { CallError, agentErrorCode } from "../envelope/index.ts";
import type { CardKit } from "./card-kit.ts";

/** Details that belong to a transport. Callers of a card get the details of the card instead. */
const OF_TRANSPORT: ReadonlySet<string> = new Set([
  "phase",
  "reusedSocket",
  "status",
  "body",
  "errors",
  "location",
  "unnamed",
]);

/** Whether the response was a redirect, which must not be retried. Only the status shows that. */
function isRedirect(status: unknown): boolean {
  return typeof status === "number" && status >= 300 && status < 400;
}

/** Names the missing object if the upstream or the router did not name it. */
function missingThing(
  { id }: PreparedCard,
  { missing }: CardKit,
  params: Readonly<Record<string, unknown>>,
  error: CallError,
): { readonly message: string; readonly details: object } {
  const thing = agentErrorCode(error) === "NOT_FOUND" ? missing?.(id, params, error) : undefined;
  if (thing === undefined) return { message: error.message, details: {} };
  const isUnnamed = error.details.status !== undefined || error.details["unnamed"] === true;
  const message = isUnnamed ? `${thing.name} was not found` : error.message;
  return { message, details: thing.details };
}

/** The error of a card in the form that its caller sees. The removed details stay in the cause. */
export function cardError(
  card: PreparedCard,
  kit: CardKit,
  params: Readonly<Record<string, unknown>>,
  error: CallError,
): CallError {
  const { message, details } = missingThing(card, kit, params, error);
  const told = Object.entries(error.details).filter(
    ([name, value]) => !OF_TRANSPORT.has(name) || (name === "status" && isRedirect(value)),
  );
  const all = { ...Object.fromEntries(told), ...details };
  return new CallError(error.code, message, all, { cause: error });
}
