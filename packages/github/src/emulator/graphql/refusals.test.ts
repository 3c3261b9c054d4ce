import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startClient } from "../fixtures/client.ts";
import type { Client } from "../fixtures/client.ts";
import { ids } from "../fixtures/mutate.ts";
import { TOKENS } from "../world/index.ts";

let client: Client;
beforeEach(async () => {
  client = await startClient();
});
afterEach(async () => {
  await client.emulator.close();
});

interface Labels {
  readonly nodes: readonly { readonly name: string }[];
  readonly pageInfo: Readonly<Record<string, string | boolean>>;
}

async function labelPage(args: string): Promise<Labels> {
  const fields = "nodes { name } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }";
  const query = `{ repository(owner: "octo", name: "hello") { labels(${args}) { ${fields} } } }`;
  return (await client.data<{ repository: { labels: Labels } }>(query)).repository.labels;
}

describe("GraphQL errors", () => {
  it("the GitHub emulator returns GraphQL errors with their type and the path of the field", async () => {
    const cases = [
      [
        `{ repository(owner: "octo", name: "nope") { id } }`,
        "NOT_FOUND",
        "Could not resolve to a Repository with the name 'octo/nope'.",
      ],
      [
        `{ repository(owner: "octo", name: "hello") { issue(number: 6) { id } } }`,
        "NOT_FOUND",
        "Could not resolve to an Issue with the number of 6.",
      ],
      [
        `{ repository(owner: "octo", name: "hello") { issues { nodes { id } } } }`,
        "MISSING_PAGINATION_BOUNDARIES",
        /first/,
      ],
      [
        `{ repository(owner: "octo", name: "hello") { issues(first: 101) { nodes { id } } } }`,
        "EXCESSIVE_PAGINATION",
        /101/,
      ],
      [
        `{ repository(owner: "octo", name: "hello") { issues(first: 1, after: "x") { nodes { id } } } }`,
        "INVALID_CURSOR_ARGUMENTS",
        /valid cursor/,
      ],
      [
        `{ viewer { monthlyEstimatedSponsorsIncomeInCents } }`,
        "NOT_SERVED",
        /User.monthlyEstimatedSponsorsIncomeInCents/,
      ],
    ] as const;
    for (const [query, type, message] of cases) {
      const { errors } = await client.graphql(query);
      expect(errors).toMatchObject([{ type, message: expect.stringMatching(message) as string }]);
    }
  });

  it("the GitHub emulator returns INSUFFICIENT_SCOPES for a GraphQL mutation with a read-only token", async () => {
    const { id: repositoryId } = await ids(client, "");
    const query = `mutation { createIssue(input: {repositoryId: "${repositoryId!}", title: "T"}) { issue { id } } }`;
    const { errors } = await client.graphql(query, {}, { token: TOKENS.readOnly });
    expect(errors).toMatchObject([{ type: "INSUFFICIENT_SCOPES" }]);
    expect(client.emulator.applied()).toEqual({});
  });

  it("the GitHub emulator returns the rest of the GraphQL data if one field has an error", async () => {
    const { data, errors } = await client.graphql(
      `{ a: repository(owner: "octo", name: "hello") { name } b: repository(owner: "octo", name: "nope") { name } }`,
    );
    expect(data).toEqual({ a: { name: "hello" }, b: null });
    expect(errors).toMatchObject([{ type: "NOT_FOUND", path: ["b"] }]);
  });

  it("the GitHub emulator pages through a GraphQL list in both directions", async () => {
    const names: string[] = [];
    let after = "";
    for (let next = true; next;) {
      const { nodes, pageInfo } = await labelPage(`first: 4${after}`);
      names.push(...nodes.map(({ name }) => name));
      next = pageInfo["hasNextPage"] === true;
      after = `, after: "${String(pageInfo["endCursor"])}"`;
    }
    expect(names).toHaveLength(10);
    expect(new Set(names).size).toBe(10);
    const { nodes } = await labelPage("last: 2");
    expect(nodes.map(({ name }) => name)).toEqual(names.slice(-2));
  });
});
