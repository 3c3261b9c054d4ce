import { fail, isRecord } from "@waybill/core";
import type { CardFunctions } from "@waybill/core";

export const issueFunctions: CardFunctions = {
  /** REST shows pull requests as issues, and GraphQL by their number: here a pull request is none. */
  anIssue: (value) => {
    if (!isRecord(value)) return value;
    if (!isRecord(value["pull_request"]) && value["__typename"] !== "PullRequest") return value;
    throw fail("NOT_FOUND", `#${String(value["number"])} is a pull request, not an issue`, {
      hint: "Use the capability of the same name under pr.",
    });
  },
  /** Of those who were to be assigned, the ones who are: GitHub leaves out who cannot be, silently. */
  assigned: (logins, { assignees }) => {
    const asked = Array.isArray(assignees) ? assignees : [];
    const wanted = new Set(asked.map((login) => String(login).toLowerCase()));
    return Array.isArray(logins)
      ? logins.filter((login) => wanted.has(String(login).toLowerCase()))
      : undefined;
  },
};
