import type { PreparedCard } from "../cards/index.ts";
import { CallError, agentErrorCode } from "../envelope/index.ts";
import type { CardKit } from "./card-kit.ts";

/** Details that belong to a transport. The caller of a card is told in the card's terms. */
const OF_TRANSPORT: ReadonlySet<string> = new Set([
  "phase",
  "reusedSocket",
  "status",
  "body",
  "errors",
  "location",
  "unnamed",
]);

/** Only the status says that a redirect is not worth another try. */
function isRedirect(status: unknown): boolean {
  return typeof status === "number" && status >= 300 && status < 400;
}

/** Names the missing thing where the upstream or the router said only that there is none. */
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

/** The failure of a card as its caller is told of it. The cause has what was left out. */
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
