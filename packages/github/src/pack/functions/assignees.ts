import type { CardFunctions } from "@waybill/core/cards";
import { over, present } from "./typed.ts";
import type { Params } from "./typed.ts";

function among(logins: readonly unknown[]): (login: unknown) => boolean {
  const known = new Set(logins.map((login) => String(login).toLowerCase()));
  return (login) => known.has(String(login).toLowerCase());
}

/** Those that the call named. */
function namedLogins(params: Params, input = "assignees"): readonly unknown[] {
  const names = params[input];
  return Array.isArray(names) ? names : [];
}

interface Change {
  readonly before: readonly string[] | null;
  readonly now: readonly string[] | null;
}

/**
 * The named logins that were assigned before and are not any more; GitHub does not report unknown
 * ones.
 */
function removed({ before, now }: Change, names: readonly unknown[]): string[] {
  const isNamed = among(names);
  const isLeft = among(present(now));
  return present(before).filter((name) => isNamed(name) && !isLeft(name));
}

/** GitHub leaves out silently whom it cannot assign, so only a look at the outcome tells. */
export const assigneeFunctions: CardFunctions = {
  addedAssignees: over((now: readonly string[] | null, params) =>
    present(now).filter(among(namedLogins(params))),
  ),
  removedAssignees: over((change: Change, params) => removed(change, namedLogins(params))),
  removedLabels: over((change: Change, params) => removed(change, namedLogins(params, "labels"))),
};
