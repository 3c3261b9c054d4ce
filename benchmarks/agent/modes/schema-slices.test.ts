import { expect, it } from "vitest";
import { slicesFor } from "./schema-slices.ts";

function sliceNames(source: string): [types: string[], fields: string[]] {
  return [[...slicesFor(source, "types").keys()], [...slicesFor(source, "fields").keys()]];
}

it("a GraphQL schema for a scenario is cut to the used root fields, with whole types or only their used fields", () => {
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

it("a cut GraphQL schema leaves out a type if a document uses only fields whose names the agent knows", () => {
  const [types] = sliceNames('{repository(owner:"o",name:"r"){issue(number:1){title state}}}');
  expect(types).toEqual(["Query.repository", "Repository"]);
});

it("a cut GraphQL schema keeps the inputs and enums that a mutation passes", () => {
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
