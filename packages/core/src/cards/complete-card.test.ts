import { describe, expect, it } from "vitest";
import { completeCard } from "./complete-card.ts";

const issue = {
  output_schema: { type: "object", properties: { number: {}, "node-id": {} } },
  effect: "read",
};

function objectPath(): readonly string[] {
  return ["repository", "the-issue"];
}

describe("a card that does not say how its answer is mapped", () => {
  it("takes every field of a GraphQL answer from the object that the document asks for", () => {
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

  it("takes every field of a REST answer from its root, and each item of a list", () => {
    const rest = { method: "GET", path: "/issues" };
    expect(completeCard({ ...issue, rest }, {})).toMatchObject({
      rest: { output: { from: "@", fields: { number: "number" } } },
    });
    const list = { output_schema: { type: "array", items: issue.output_schema }, effect: "read" };
    expect(completeCard({ ...list, rest }, {})).toMatchObject({
      rest: { output: { each: "@", fields: { number: "number" } } },
    });
  });

  it("keeps what the card says itself", () => {
    const rest = { method: "GET", path: "/issues", output: { number: "id" } };
    expect(completeCard({ ...issue, rest }, {})).toMatchObject({ rest });
  });
});
