import { fail } from "@waybill/core";
import { isRecord } from "@waybill/core/schema";
import type { CardFunctions } from "@waybill/core/cards";

const NUMBERED = new Set(["Issue", "PullRequest", "Discussion"]);

export const peopleFunctions: CardFunctions = {
  /** GraphQL returns null without an error if REST would return 404. */
  accountFound: (account, params) => {
    if (account !== null) return account;
    const login = String(params["login"] ?? params["owner"]);
    throw fail(
      "NOT_FOUND",
      `There is no user or organisation called "${login}". Check the spelling`,
    );
  },
  /** The number of a notification's subject, which is only in its URL. */
  subjectNumber: (subject) => {
    if (!isRecord(subject) || !NUMBERED.has(String(subject["type"]))) return null;
    const number = /\/(\d+)$/.exec(String(subject["url"]))?.[1];
    return number === undefined ? null : Number(number);
  },
  gistFiles: (files) =>
    isRecord(files)
      ? Object.fromEntries(Object.entries(files).map(([name, content]) => [name, { content }]))
      : undefined,
};
