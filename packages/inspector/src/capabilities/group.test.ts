import { expect, it } from "vitest";
import { groupByDomain } from "./group.ts";

function listed(capability_id: string): { capability_id: string; description: string } {
  return { capability_id, description: "" };
}

it("the inspector groups capabilities by the part of their id before the first dot", () => {
  const items = ["repo.view", "issue.list", "repo.list", "alone", "__proto__.x"].map(listed);
  const groups = groupByDomain(items).map(({ domain, items: members }) => [
    domain,
    ...members.map(({ capability_id }) => capability_id),
  ]);
  expect(groups).toEqual([
    ["repo", "repo.view", "repo.list"],
    ["issue", "issue.list"],
    ["alone", "alone"],
    ["__proto__", "__proto__.x"],
  ]);
});
