import { expect, it } from "vitest";
import { slicesFor } from "./schema-slices.ts";

it("takes of the roots the fields that are used, and of other types all", () => {
  const slices = slicesFor('{repository(owner:"o",name:"r"){issue(number:1){title}}}');
  expect([...slices.keys()]).toEqual(["Query.repository", "Repository", "Issue"]);
  expect(slices.get("Query.repository")).toContain("followRenames");
  expect(slices.get("Query.repository")).not.toContain("viewer");
  expect(slices.get("Issue")).toContain("stateReason");
});

it("takes inputs and enums that are passed", () => {
  const mutation = 'mutation{closeIssue(input:{issueId:"I",stateReason:COMPLETED}){issue{id}}}';
  expect([...slicesFor(mutation).keys()]).toEqual([
    "Mutation.closeIssue",
    "CloseIssueInput",
    "IssueClosedStateReason",
    "CloseIssuePayload",
    "Issue",
  ]);
});
