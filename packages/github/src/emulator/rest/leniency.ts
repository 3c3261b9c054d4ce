import { isInputObject } from "../input.ts";

/** A body that GitHub accepts although its description forbids it. */
export interface Leniency {
  readonly operations: readonly string[];
  /** The sentence of GitHub's documentation that allows it. */
  readonly accepts: string;
  /** Converts the body to the form in the description. */
  readonly described: (body: unknown) => unknown;
}

const LABELS = "/repos/{owner}/{repo}/issues/{issue_number}/labels";

/**
 * Every request that GitHub accepts although its description refuses it. GitHub's documentation
 * mentions each.
 */
export const LENIENCIES: readonly Leniency[] = [
  {
    operations: [`POST ${LABELS}`, `PUT ${LABELS}`],
    accepts: "a bare list of names, and an empty list",
    described: (body) => {
      const labels = isInputObject(body) ? body["labels"] : body;
      const isEmpty = Array.isArray(labels) && labels.length === 0;
      return isEmpty ? {} : Array.isArray(body) ? { labels } : body;
    },
  },
  {
    operations: ["PATCH /gists/{gist_id}"],
    accepts: "null for a file, which deletes it",
    described: (body) => {
      if (!isInputObject(body) || !isInputObject(body["files"])) return body;
      const kept = Object.entries(body["files"]).filter(([, file]) => file !== null);
      return { ...body, files: Object.fromEntries(kept) };
    },
  },
];
