import type { CardFunctions } from "@waybill/core";
import { over } from "./typed.ts";
import type { Params } from "./typed.ts";

function among(logins: readonly unknown[]): (login: unknown) => boolean {
  const known = new Set(logins.map((login) => String(login).toLowerCase()));
  return (login) => known.has(String(login).toLowerCase());
}

/** Those that the call named. */
function named({ assignees }: Params): readonly unknown[] {
  return Array.isArray(assignees) ? assignees : [];
}

/** GitHub leaves out without a word whom it cannot assign, so only a look at the outcome tells. */
export const assigneeFunctions: CardFunctions = {
  addedAssignees: over((now: readonly string[], params) => now.filter(among(named(params)))),
  removedAssignees: over((now: readonly string[], params) => {
    const isAssigned = among(now);
    return named(params).filter((login) => !isAssigned(login));
  }),
};
