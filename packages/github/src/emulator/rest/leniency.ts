import { isInputObject } from "../input.ts";

/** Something that GitHub takes although its description says otherwise. */
export interface Leniency {
  readonly operations: readonly string[];
  /** As the documentation says it. */
  readonly accepts: string;
  /** The body as the description would have it. */
  readonly described: (body: unknown) => unknown;
}

const LABELS = "/repos/{owner}/{repo}/issues/{issue_number}/labels";

/** Every place where a request passes that GitHub's description refuses; GitHub's own prose says so. */
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
