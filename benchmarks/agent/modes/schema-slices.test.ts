import { expect, it } from "vitest";
import { slicesFor } from "./schema-slices.ts";

function sliceNames(source: string): [types: string[], fields: string[]] {
  return [[...slicesFor(source, "types").keys()], [...slicesFor(source, "fields").keys()]];
}

it("takes of the roots the fields that are used, and of other types all or the fields", () => {
  const source =
    '{repository(owner:"o",name:"r"){issue(number:1){title labels(first:9){nodes{name}}}}}';
  expect(sliceNames(source)).toEqual([
    ["Query.repository", "Repository", "Issue", "LabelConnection"],
    ["Query.repository", "Repository.issue", "Issue.labels", "LabelConnection.nodes"],
  ]);
  const slices = slicesFor(source, "types");
  expect(slices.get("Query.repository")).toContain("followRenames");
  expect(slices.get("Query.repository")).not.toContain("viewer");
  expect(slices.get("Issue")).toContain("stateReason");
  expect(slicesFor(source, "fields").get("Issue.labels")).not.toContain("stateReason");
});

it("takes no type of which only names are used, for those count as known in every mode", () => {
  const [types] = sliceNames('{repository(owner:"o",name:"r"){issue(number:1){title state}}}');
  expect(types).toEqual(["Query.repository", "Repository"]);
});

it("takes inputs and enums that are passed", () => {
  const mutation = 'mutation{closeIssue(input:{issueId:"I",stateReason:COMPLETED}){issue{id}}}';
  expect(sliceNames(mutation)).toEqual([
    ["Mutation.closeIssue", "CloseIssueInput", "IssueClosedStateReason", "CloseIssuePayload"],
    [
      "Mutation.closeIssue",
      "CloseIssueInput.issueId",
      "CloseIssueInput.stateReason",
      "IssueClosedStateReason",
      "CloseIssuePayload.issue",
    ],
  ]);
});
