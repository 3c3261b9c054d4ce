import type { CardFunctions } from "@waybill/core/cards";
import { over, present } from "./typed.ts";
import type { Params } from "./typed.ts";

function among(logins: readonly unknown[]): (login: unknown) => boolean {
  const known = new Set(logins.map((login) => String(login).toLowerCase()));
  return (login) => known.has(String(login).toLowerCase());
}

/** The logins in the call's input. */
function namedLogins(params: Params, input = "assignees"): readonly unknown[] {
  const names = params[input];
  return Array.isArray(names) ? names : [];
}

interface Change {
  readonly before: readonly string[] | null;
  readonly now: readonly string[] | null;
}

/**
 * The given logins that were assigned before and are not any more. GitHub does not report unknown
 * logins.
 */
function removed({ before, now }: Change, names: readonly unknown[]): string[] {
  const isNamed = among(names);
  const isLeft = among(present(now));
  return present(before).filter((name) => isNamed(name) && !isLeft(name));
}

/** GitHub silently ignores users whom it cannot assign, so these functions check the result. */
export const assigneeFunctions: CardFunctions = {
  addedAssignees: over((now: readonly string[] | null, params) =>
    present(now).filter(among(namedLogins(params))),
  ),
  removedAssignees: over((change: Change, params) => removed(change, namedLogins(params))),
  removedLabels: over((change: Change, params) => removed(change, namedLogins(params, "labels"))),
};
