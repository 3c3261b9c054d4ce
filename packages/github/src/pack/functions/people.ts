import type { CardFunctions } from "@waybill/core";

type Params = Readonly<Record<string, unknown>>;

/** Those that the call named and that are, or are not, among the assignees now. */
function named(assignees: unknown, params: Params, isWanted: (isAssigned: boolean) => boolean) {
  const now = new Set((assignees as string[]).map((login) => login.toLowerCase()));
  const asked = params["assignees"] as string[];
  return asked.filter((login) => isWanted(now.has(login.toLowerCase())));
}

/** GitHub leaves out without a word whom it cannot assign, so only a look at the outcome tells. */
export const peopleFunctions: CardFunctions = {
  addedAssignees: (assignees, params) => named(assignees, params, (isAssigned) => isAssigned),
  removedAssignees: (assignees, params) => named(assignees, params, (isAssigned) => !isAssigned),
};
