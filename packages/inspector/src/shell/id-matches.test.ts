import { expect, it } from "vitest";
import { idMatches } from "./id-matches.ts";

const item = (capability_id: string) => ({ capability_id, description: "" });
const LISTED = ["issue.comments.update", "issue.list", "issue.update", "pr.update"].map(item);

it.each([
  ["issue.upd", ["issue.update", "issue.list"]],
  ["issue upd", ["issue.update", "issue.comments.update", "issue.list"]],
  ["Update pr", ["pr.update", "issue.list"]],
  [" ISSUE.L ", ["issue.list"]],
  ["rename an issue", ["issue.list"]],
  ["", []],
])(
  "the inspector's command palette for %j lists first ids that contain the words, then search results",
  (typed, ids) => {
    const found = idMatches(typed, LISTED, [item("issue.list")]);
    expect(found.map(({ capability_id }) => capability_id)).toEqual(ids);
  },
);
