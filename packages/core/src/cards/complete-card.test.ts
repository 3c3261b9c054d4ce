import { describe, expect, it } from "vitest";
import { completeCard } from "./complete-card.ts";

const issue = {
  output_schema: { type: "object", properties: { number: {}, "node-id": {} } },
  effect: "read",
};

function objectPath(): readonly string[] {
  return ["repository", "the-issue"];
}

describe("completeCard on a card without an output mapping", () => {
  it("completeCard maps GraphQL fields from the object that the document requests", () => {
    const graphql = { documentPath: "issue.graphql" };
    expect(completeCard({ ...issue, graphql }, { objectPath })).toMatchObject({
      graphql: {
        ...graphql,
        output: {
          from: 'repository."the-issue"',
          fields: { number: "number", "node-id": '"node-id"' },
        },
      },
    });
  });

  it("completeCard maps REST fields from the root, or from each item of a list", () => {
    const rest = { method: "GET", path: "/issues" };
    expect(completeCard({ ...issue, rest }, {})).toMatchObject({
      rest: { output: { from: "@", fields: { number: "number" } } },
    });
    const list = { output_schema: { type: "array", items: issue.output_schema }, effect: "read" };
    expect(completeCard({ ...list, rest }, {})).toMatchObject({
      rest: { output: { each: "@", fields: { number: "number" } } },
    });
  });

  it("completeCard keeps a mapping that the card already has", () => {
    const rest = { method: "GET", path: "/issues", output: { number: "id" } };
    expect(completeCard({ ...issue, rest }, {})).toMatchObject({ rest });
  });
});
