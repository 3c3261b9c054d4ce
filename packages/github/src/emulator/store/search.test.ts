import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startClient } from "../fixtures/client.ts";
import type { Client } from "../fixtures/client.ts";
import { isWithin, parseSearch } from "./search-query.ts";

describe("search", () => {
  let client: Client;
  beforeAll(async () => {
    client = await startClient({ rateLimits: { search: 1000 } });
  });
  afterAll(() => client.emulator.close());

  async function numbers(query: string, more = ""): Promise<number[]> {
    const path = `/search/issues?q=${encodeURIComponent(`repo:octo/hello ${query}`)}${more}`;
    const { body } = await client.rest<{ items: { number: number }[] }>(`GET ${path}`);
    return body.items.map(({ number }) => number);
  }

  it.each([
    ["is:issue is:open", [3, 2, 1]],
    ["is:pr is:merged", [8]],
    ["is:pr draft:true", [7]],
    ["is:pr is:unmerged state:closed", []],
    ["label:bug", [6, 1]],
    ['label:"priority: high"', [1]],
    ["-label:bug is:issue is:open", [3, 2]],
    ["author:monalisa is:pr", [8, 6]],
    ["author:@me is:issue is:closed", [4]],
    ["assignee:monalisa", [1]],
    ["assignee:*", [1]],
    ["no:assignee is:issue is:open", [3, 2]],
    ["no:milestone is:issue is:open", [3, 2]],
    ["milestone:v1.2", [1]],
    ["commenter:octocat", [6, 1]],
    ["involves:hubot", [10, 5]],
    ["reason:not-planned", []],
    ['reason:"not planned"', [5]],
    ["head:fix base:main", [6]],
    ["review:approved", [9, 8]],
    ["review:changes_requested", [6]],
    ["review:required", [10, 7]],
    ["review:none is:pr", [10, 7]],
    ["review-requested:hubot", [6]],
    ["reviewed-by:hubot", [6]],
    ["status:failure", [6]],
    ["status:success", [9]],
    ["created:>=2026-01-05T12:00 is:pr", [10, 9, 8, 7]],
    ["created:2026-01-05..2026-01-05T10:00 is:issue", [2, 1]],
    ["closed:<2026-02-01 is:issue", [5, 4]],
    ["comments:>=1", [6, 1]],
    ["loud in:title", [10, 5]],
    ["thank in:comments", [6]],
    ["is:private", []],
    ["is:locked", []],
    ["is:public is:unlocked is:issue is:closed", [5, 4]],
    ["mentions:octocat", []],
    ["user:octo org:octo is:merged", [8]],
    ["status:pending", [7]],
    ["type:pr is:merged", [8]],
    ["updated:>2026-01-05T13:05", [10, 5]],
    ["#6 is:pr", [6]],
    ["language:typescript is:issue is:closed", [5, 4]],
    ["archived:true", []],
    ["unknown:thing", []],
  ])("the emulator's issue search for %s finds the numbers %j", async (query, wanted) => {
    expect(await numbers(query)).toEqual(wanted);
  });

  it("the GitHub emulator sorts search results as requested", async () => {
    expect(await numbers("is:issue is:open", "&sort=comments&order=desc")).toEqual([1, 3, 2]);
    expect(await numbers("is:issue is:open sort:created-asc")).toEqual([1, 2, 3]);
    expect((await numbers("is:issue", "&sort=updated"))[0]).toBe(5);
  });

  it("the GitHub emulator returns 422 for a search in a repository that does not exist and for an empty query", async () => {
    const missing = await client.rest("GET /search/issues?q=repo:octo/nope");
    const empty = await client.rest("GET /search/issues?q=");
    expect([missing.status, empty.status]).toEqual([422, 422]);
  });

  it.each([
    ["user:octo", ["octo/hello", "octo/atlas"]],
    ["hello fork:true", ["octo/hello", "hubot/hello"]],
    ["hello fork:only", ["hubot/hello"]],
    ["topic:typescript", ["octo/hello"]],
    ["stars:>1", ["octo/hello"]],
    ["license:mit", ["octo/hello"]],
    ["is:private", ["octo/atlas"]],
    ["archived:true", []],
    ["created:<2026-01-05T10:00", ["octo/hello"]],
    ["pushed:>2026-01-05T14:00", ["octo/atlas"]],
    ["repo:octo/hello org:octo language:typescript", ["octo/hello"]],
    ["nothing", []],
  ])("the emulator's repository search for %s finds %j", async (query, wanted) => {
    const path = `/search/repositories?q=${encodeURIComponent(query)}`;
    const { body } = await client.rest<{ items: { full_name: string }[] }>(`GET ${path}`);
    expect(body.items.map((one) => one.full_name)).toEqual(wanted);
  });

  it.each([
    ["greetAll", ["src/greet.ts", "src/index.ts"]],
    ["greet extension:md", ["README.md", "docs/usage.md"]],
    ["greet path:test", ["test/greet.test.ts"]],
    ["hello filename:package.json user:octo", ["package.json"]],
    ["greetAll org:octo language:typescript path:/src/index.ts", ["src/index.ts"]],
  ])("the emulator's code search for %s finds the files %j", async (query, wanted) => {
    const path = `/search/code?q=${encodeURIComponent(query)}`;
    const { body } = await client.rest<{ items: { path: string }[] }>(`GET ${path}`);
    expect(body.items.map((one) => one.path)).toEqual(wanted);
  });
});

describe("user search", () => {
  it.each([
    ["user:octocat user:Hubot", ["octocat", "hubot"]],
    ["mona", ["monalisa"]],
    ["Lisa user:octocat", []],
    ["user:nobody-at-all", []],
  ])("the emulator's user search for %s finds %j over REST and GraphQL", async (query, logins) => {
    const client = await startClient({ rateLimits: { search: 1000 } });
    const path = `/search/users?q=${encodeURIComponent(query)}`;
    const { body } = await client.rest<{ items: { login: string }[] }>(`GET ${path}`);
    expect(body.items.map(({ login }) => login)).toEqual(logins);
    const document = `{ search(type: USER, first: 9, query: "${query}") { nodes { ... on User { login } } } }`;
    const { data } = await client.graphql(document);
    expect(data).toEqual({ search: { nodes: logins.map((login) => ({ login })) } });
    await client.emulator.close();
  });
});

describe("search query", () => {
  it("the emulator splits a search query into words and qualifiers", () => {
    expect(parseSearch('fix "two words" -label:"good first issue" is:open')).toEqual({
      words: ["fix", "two words"],
      qualifiers: [
        { name: "label", value: "good first issue", isNot: true },
        { name: "is", value: "open", isNot: false },
      ],
    });
  });

  it.each([
    ["2026-01-05", true],
    ["<2026-01-05", false],
    ["<=2026-01-05", true],
    [">2026-01-04", true],
    ["*..2026-01-05", true],
    ["2026-01-06..*", false],
  ])(
    "the emulator's search says whether the time range %s includes 2026-01-05: %s",
    (range, wanted) => {
      expect(isWithin("2026-01-05T10:00:00Z", range)).toBe(wanted);
    },
  );
});
