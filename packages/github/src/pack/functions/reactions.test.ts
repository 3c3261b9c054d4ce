import { expect, it } from "vitest";
import { reactionFunctions } from "./reactions.ts";

const counts = { "+1": 3, eyes: 1, heart: 0 };
const rows = [
  { content: "eyes", user: { login: "mona" } },
  { content: "+1", user: { login: "Octo" } },
  { content: "+1", user: null },
];

it("reactions read over REST are grouped as GraphQL groups them, and groups with missing logins are marked", () => {
  const groups = reactionFunctions["restReactionGroups"]!({ rows, counts, viewer: "mona" }, {});
  expect(groups).toEqual([
    {
      content: "THUMBS_UP",
      reactorCount: 3,
      reactorLogins: ["Octo"],
      viewerHasReacted: false,
      reactorsTruncated: true,
    },
    {
      content: "EYES",
      reactorCount: 1,
      reactorLogins: ["mona"],
      viewerHasReacted: true,
      reactorsTruncated: false,
    },
  ]);
});

const by = (reactorLogin: string): unknown =>
  reactionFunctions["restReactionGroups"]!({ rows, counts, viewer: "x" }, { reactorLogin });

it("a reaction's login matches in any letter case", () => {
  expect(by("octo")).toHaveLength(1);
  expect(by("nobody")).toEqual([]);
});
