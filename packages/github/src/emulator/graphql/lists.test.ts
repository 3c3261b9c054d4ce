import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startClient } from "../fixtures/client.ts";
import type { Client } from "../fixtures/client.ts";

let client: Client;
beforeAll(async () => {
  client = await startClient({ rateLimits: { search: 1000 } });
});
afterAll(() => client.emulator.close());

interface Lists {
  readonly repository: {
    readonly list: { readonly nodes: readonly Readonly<Record<string, unknown>>[] };
  };
}

async function list(field: string, select: string): Promise<unknown[]> {
  const query = `{ repository(owner: "octo", name: "hello") { list: ${field} { nodes { ${select} } } } }`;
  const { repository } = await client.data<Lists>(query);
  return repository.list.nodes.map((one) => one[select]);
}

function at(path: string): string {
  return `resource(url: "https://github.com/${path}") { kind: __typename url }`;
}

describe("lists over GraphQL", () => {
  it.each([
    ["issues(first: 9)", [1, 2, 3, 4, 5]],
    ["issues(first: 9, states: [CLOSED])", [4, 5]],
    [`issues(first: 9, labels: ["bug"])`, [1]],
    [`issues(first: 9, filterBy: {assignee: "monalisa"})`, [1]],
    [`issues(first: 9, filterBy: {assignee: "*"})`, [1]],
    ["issues(first: 9, filterBy: {assignee: null, states: [OPEN]})", [2, 3]],
    [`issues(first: 9, filterBy: {createdBy: "hubot"})`, [5]],
    [`issues(first: 9, filterBy: {milestoneNumber: "1"})`, [1]],
    [`issues(first: 9, filterBy: {mentioned: "octocat"})`, []],
    [`issues(first: 9, filterBy: {since: "2026-01-05T11:00:00Z"})`, [1, 2, 5]],
    ["issues(first: 2, orderBy: {field: COMMENTS, direction: DESC})", [1, 5]],
    [
      "pullRequests(first: 9, orderBy: {field: UPDATED_AT, direction: DESC}, states: [MERGED])",
      [8],
    ],
    [`pullRequests(first: 9, headRefName: "loud")`, [10]],
    [`pullRequests(first: 9, baseRefName: "nope")`, []],
    [`pullRequests(first: 9, labels: ["bug"])`, [6]],
    ["discussions(first: 9, answered: true)", [11]],
    ["discussions(first: 9, states: [CLOSED])", []],
    ["milestones(first: 9, orderBy: {field: NUMBER, direction: DESC})", [2, 1]],
    [`milestones(first: 9, query: "1.2")`, [1]],
  ])(
    "the emulator's GraphQL list %s returns the objects with the numbers %j",
    async (field, wanted) => {
      expect(await list(field, "number")).toEqual(wanted);
    },
  );

  it.each([
    [
      `labels(first: 3, orderBy: {field: NAME, direction: DESC})`,
      ["wontfix", "question", "priority: high"],
    ],
    [`labels(first: 3, query: "doc")`, ["documentation"]],
    [`refs(first: 9, refPrefix: "refs/tags/", query: "1.1")`, ["v1.1.0"]],
    ["releases(first: 2, orderBy: {field: NAME, direction: DESC})", ["2.0.0", "1.1.0"]],
    ["forks(first: 2)", ["hello"]],
  ])(
    "the emulator's GraphQL list %s returns the objects with the names %j",
    async (field, wanted) => {
      expect(await list(field, "name")).toEqual(wanted);
    },
  );

  it.each([
    [`type: REPOSITORY, query: "hello"`, "repositoryCount", 1],
    [`type: USER, query: "mona"`, "userCount", 1],
    [`type: DISCUSSION, query: "robot"`, "discussionCount", 1],
    [`type: ISSUE, query: "repo:octo/hello is:pr"`, "issueCount", 5],
  ])("the emulator's GraphQL search(%s) returns the %s %i", async (args, field, count) => {
    expect(await client.data(`{ search(first: 3, ${args}) { ${field} } }`)).toEqual({
      search: { [field]: count },
    });
  });

  it("the GitHub emulator finds no GraphQL resource for a URL of another host", async () => {
    const url = "https://github.com.example/octo/hello/issues/1";
    expect(await client.data(`{ resource(url: "${url}") { url } }`)).toEqual({ resource: null });
  });

  it("the GitHub emulator finds GraphQL objects by URL and by node id", async () => {
    const data = await client.data<Record<string, { kind: string }>>(
      `{ a: ${at("octo")} b: ${at("octo/hello")} c: ${at("octo/hello/issues/1")} d: ${at("octo/hello/pull/6")} }`,
    );
    expect(Object.values(data).map((one) => one.kind)).toEqual([
      "Organization",
      "Repository",
      "Issue",
      "PullRequest",
    ]);
    const { repository } = await client.data<{
      repository: { ref: { id: string; target: { id: string } } };
    }>(
      `{ repository(owner: "octo", name: "hello") { ref(qualifiedName: "main") { id target { id ... on Commit { tree { id } } } } } }`,
    );
    const { ref } = repository;
    const { data: nodes, errors } = await client.graphql(
      `{ nodes(ids: ["${ref.id}", "${ref.target.id}", "X_nothing"]) { __typename } }`,
    );
    expect(nodes).toEqual({ nodes: [{ __typename: "Ref" }, { __typename: "Commit" }, null] });
    expect(errors).toMatchObject([{ type: "NOT_FOUND" }]);
  });

  it("the GitHub emulator rejects a GraphQL query with an unknown field, a syntax error or no query", async () => {
    const { errors } = await client.graphql("{ viewer { nothing } }");
    expect(errors).toMatchObject([
      {
        message: "Field 'nothing' doesn't exist on type 'User'",
        extensions: { code: "undefinedField" },
      },
    ]);
    expect((await client.graphql("{ viewer {")).errors).toHaveLength(1);
    const none = await client.send("POST", "/graphql", {});
    expect(await none.json()).toMatchObject({
      errors: [{ message: expect.stringContaining("query attribute") as string }],
    });
    expect((await client.send("POST", "/graphql", "[")).status).toBe(400);
    expect((await client.send("GET", "/graphql")).status).toBe(404);
  });

  it("the GitHub emulator answers the GraphQL introspection query that gh sends", async () => {
    const { __type: type } = await client.data<{ __type: { fields: { name: string }[] } }>(
      `{ __type(name: "Issue") { fields(includeDeprecated: true) { name } } }`,
    );
    expect(type.fields.map(({ name }) => name)).toContain("stateReason");
  });

  it("the GitHub emulator returns the total of a GraphQL connection without a page size, and resolves fragments", async () => {
    const query = `query { repository(owner: "octo", name: "hello") { issues { totalCount } labels(first: 1) { ...L } } }
      fragment L on LabelConnection { nodes { name } }`;
    expect(await client.data(query)).toEqual({
      repository: { issues: { totalCount: 5 }, labels: { nodes: [{ name: "bug" }] } },
    });
  });
});
