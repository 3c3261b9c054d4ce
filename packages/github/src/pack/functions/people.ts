import type { CardFunctions } from "@waybill/core";
import { over } from "./typed.ts";
import type { Params } from "./typed.ts";

function isListed(logins: readonly string[]): (login: unknown) => boolean {
  const listed = new Set(logins.map((login) => login.toLowerCase()));
  return (login) => typeof login === "string" && listed.has(login.toLowerCase());
}

/** Those that the call named. */
function named({ assignees }: Params): readonly unknown[] {
  return Array.isArray(assignees) ? assignees : [];
}

/** GitHub leaves out without a word whom it cannot assign, so only a look at the outcome tells. */
export const peopleFunctions: CardFunctions = {
  addedAssignees: over((now: readonly string[], params) => named(params).filter(isListed(now))),
  removedAssignees: over((now: readonly string[], params) => {
    const isAssigned = isListed(now);
    return named(params).filter((login) => !isAssigned(login));
  }),
};
