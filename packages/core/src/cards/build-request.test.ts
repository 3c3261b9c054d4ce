import { describe, expect, it } from "vitest";
import { agentErrorCode } from "../envelope/index.ts";
import type { CallError } from "../envelope/index.ts";
import {
  buildRequest,
  choosePart,
  lookupRequests,
  lookupValue,
  mapOutput,
  prepareCard,
} from "./index.ts";
import type { Card, CardScope, PreparedCard } from "./index.ts";

function prepare(parts: Partial<Card>): Promise<PreparedCard> {
  return prepareCard({
    capability_id: "test.card",
    version: "1.0.0",
    description: "A card",
    effect: "read",
    input_schema: { type: "object" },
    output_schema: true,
    routing: { preferred: "rest", fallbacks: [] },
    ...parts,
  });
}

function rest(path: string, more: object = {}): Promise<PreparedCard> {
  return prepare({ rest: { method: "GET", path, output: "@", ...more } });
}

function refusal(card: PreparedCard, route: "rest" | "cli", scope: CardScope): unknown {
  try {
    return buildRequest(card, route, scope);
  } catch (error) {
    return { code: agentErrorCode(error as CallError), message: (error as Error).message };
  }
}

describe("path of a REST request", () => {
  it.each<[unknown, string]>([
    ["hello", "/r/hello"],
    ["a/b", "/r/a%2Fb"],
    ["a b?c#d", "/r/a%20b%3Fc%23d"],
    ["%2e%2e", "/r/%252e%252e"],
    ["é😀", "/r/%C3%A9%F0%9F%98%80"],
    ["--web", "/r/--web"],
    ["...", "/r/..."],
    [7, "/r/7"],
    [false, "/r/false"],
  ])("buildRequest percent-encodes the path parameter %j in the path %s", async (name, path) => {
    expect(buildRequest(await rest("/r/{name}"), "rest", { params: { name } })).toMatchObject({
      path,
    });
  });

  it.each([["."], [".."], [""], [null], [["a"]], [{}], ["\ud800"]])(
    "buildRequest refuses the path parameter %j",
    async (name) => {
      expect(refusal(await rest("/r/{name}"), "rest", { params: { name } })).toMatchObject({
        code: "VALIDATION",
        message: expect.stringContaining("name ") as string,
      });
    },
  );

  it("buildRequest refuses a missing path parameter, and the error names the parameter", async () => {
    expect(refusal(await rest("/r/{owner}/{name}"), "rest", { params: { owner: "o" } })).toEqual({
      code: "VALIDATION",
      message: "Invalid input for test.card: name is missing, but the path needs it; pass a value",
    });
  });

  it("a path segment of a card can contain several parameters, and one parameter can fill several segments", async () => {
    const compare = await rest("/compare/{base}...{head}");
    const params = { base: "v1", head: "a/b" };
    expect(buildRequest(compare, "rest", { params })).toMatchObject({
      path: "/compare/v1...a%2Fb",
    });
    expect(refusal(compare, "rest", { params: { base: "", head: "x" } })).toMatchObject({
      code: "VALIDATION",
    });
    const contents = await rest("/contents/{+path}");
    expect(buildRequest(contents, "rest", { params: { path: "src/a b.ts" } })).toMatchObject({
      path: "/contents/src/a%20b.ts",
    });
    for (const path of ["../x", "a//b", "a/./b", "/etc", ""]) {
      expect(refusal(contents, "rest", { params: { path } })).toMatchObject({ code: "VALIDATION" });
    }
  });
});

describe("parts of a REST request", () => {
  it("buildRequest makes a REST request with query pairs, unchanged headers, and a body only if the card has one", async () => {
    const card = await rest("/x", {
      query: { per_page: "first", labels: "labels", page: "after", all: "all", q: "q" },
      headers: { Accept: "application/json" },
      body: { from: "input", fields: { a: "a" } },
    });
    const params = { first: 30, labels: ["a", "b"], after: null, all: true, q: "x&y" };
    expect(buildRequest(card, "rest", { params })).toEqual({
      kind: "rest",
      method: "GET",
      path: "/x",
      query: [
        ["per_page", "30"],
        ["labels", "a"],
        ["labels", "b"],
        ["all", "true"],
        ["q", "x&y"],
      ],
      headers: { accept: "application/json" },
    });
    expect(refusal(card, "rest", { params: { q: { a: 1 } } })).toMatchObject({
      code: "VALIDATION",
    });
  });
});

describe("command lines", () => {
  const cli = {
    command: "issue view",
    flags: { repo: { text: "{owner}/{name}" }, web: "web", label: "labels", limit: "first" },
    positionals: ["number"],
    stdin: "body",
    jsonFields: ["id", "title"],
    output: "@",
  };

  it("buildRequest makes a command with each flag and its value in one argument, and positional arguments after --", async () => {
    const card = await prepare({ routing: { preferred: "cli", fallbacks: [] }, cli });
    const params = { owner: "o", name: "n", labels: ["-x", "b"], web: true, number: "--web" };
    expect(buildRequest(card, "cli", { params: { ...params, body: "text\n" } })).toEqual({
      kind: "command",
      argv: [
        "issue",
        "view",
        "--repo=o/n",
        "--web",
        "--label=-x",
        "--label=b",
        "--json=id,title",
        "--",
        "--web",
      ],
      stdin: "text\n",
      isJson: true,
    });
  });

  it("buildRequest refuses a value that a command line cannot hold", async () => {
    const card = await prepare({ routing: { preferred: "cli", fallbacks: [] }, cli });
    for (const number of [undefined, null, ["a"], "a\0b"]) {
      const params = { owner: "o", name: "n", ...(number === undefined ? {} : { number }) };
      expect(refusal(card, "cli", { params })).toMatchObject({ code: "VALIDATION" });
    }
  });
});

describe("variants of a route", () => {
  const variants = [
    { when: "sha", method: "GET", path: "/commits/{sha}", output: { by: "'sha'" } },
    { when: "all == `true`", method: "GET", path: "/all", output: "@", limits: { maxPageSize: 5 } },
  ];

  it("a route of a card uses its first variant whose condition holds, and the CLI route can reuse the variants", async () => {
    const routing = { preferred: "rest", fallbacks: ["cli"] } as const;
    const card = await prepare({ routing, rest: variants, cli: { use: "rest" } });
    expect(buildRequest(card, "cli", { params: { sha: "abc" } })).toMatchObject({
      path: "/commits/abc",
    });
    expect(mapOutput(card, "cli", {}, { params: { sha: "abc" } }).data).toEqual({ by: "sha" });
    expect(choosePart(card, "rest", { params: { all: true } }).limits).toEqual({ maxPageSize: 5 });
  });

  it("a route of a card fails with ADAPTER_UNSUPPORTED if the condition of no variant holds", async () => {
    const card = await prepare({ rest: variants });
    expect(refusal(card, "rest", { params: {} })).toMatchObject({ code: "ADAPTER_UNSUPPORTED" });
    expect(refusal(card, "cli", { params: {} })).toMatchObject({ code: "ADAPTER_UNSUPPORTED" });
  });
});

describe("field groups", () => {
  const card = prepare({
    rest: {
      method: "GET",
      path: "/list",
      query: { with: "$include.author" },
      output: { items: { each: "@", fields: { id: "id" } } },
    },
    include: {
      author: { rest: { items: { each: "@", fields: { author: "user.login" } } } },
      other: { graphql: "x" },
    },
  });
  const payload = [
    { id: 1, user: { login: "mona" } },
    { id: 2, user: null },
  ];

  it("the fields of a requested field group are added to each item", async () => {
    const scope = { params: {}, include: ["author"] };
    expect(mapOutput(await card, "rest", payload, scope)).toEqual({
      data: {
        items: [
          { id: 1, author: "mona" },
          { id: 2, author: null },
        ],
      },
      missing: [],
    });
    expect(buildRequest(await card, "rest", scope)).toMatchObject({ query: [["with", "true"]] });
    expect(buildRequest(await card, "rest", { params: {} })).toMatchObject({
      query: [["with", "false"]],
    });
  });

  it("a field group that the route lacks is reported as missing, and an unknown field group is refused", async () => {
    const { missing } = mapOutput(await card, "rest", [], { params: {}, include: ["other"] });
    expect(missing).toEqual(["include.other"]);
    expect(refusal(await card, "rest", { params: {}, include: ["autor"] })).toMatchObject({
      code: "VALIDATION",
    });
  });
});

describe("lookup by path", () => {
  it("a card's lookup by path sends a GET request", async () => {
    const card = await prepare({
      lookup: { release: { path: "/releases/tags/{tag}", value: "id", optional: true } },
      rest: { method: "GET", path: "/releases/{lookup.release}", output: "@" },
    });
    expect(lookupRequests(card, "rest", { params: { tag: "v1" } })).toMatchObject([
      { name: "release", request: { kind: "rest", method: "GET", path: "/releases/tags/v1" } },
    ]);
    expect(buildRequest(card, "rest", { params: {}, lookup: { release: 9 } })).toMatchObject({
      path: "/releases/9",
    });
  });
});

describe("lookup of a list", () => {
  const card = prepare({
    lookup: { ids: { each: "names", path: "/labels/{$item}", value: "id" } },
    rest: { method: "GET", path: "/x", query: { ids: "lookup.ids" }, output: "@" },
  });

  it("a card's lookup of a list sends one request for each item", async () => {
    const requests = lookupRequests(await card, "rest", { params: { names: ["a b", "c"] } });
    expect(requests).toMatchObject([
      { name: "ids", item: "a b", request: { path: "/labels/a%20b" } },
      { name: "ids", item: "c", request: { path: "/labels/c" } },
    ]);
  });

  it("the error of a card's lookup of a list names the item that does not exist", async () => {
    const prepared = await card;
    const lookup = { name: "ids", item: "c" };
    expect(() => lookupValue(prepared, lookup, { id: null }, { params: {} })).toThrow('no ids "c"');
  });
});

describe("mapping of the output", () => {
  it("the output mapping of a card can use the params and the next page as variables", async () => {
    const card = await rest("/x", {
      output: { fields: { number: "$params.number", done: true, pageInfo: "$page" } },
    });
    const page = { hasNextPage: false, endCursor: null };
    expect(mapOutput(card, "rest", null, { params: { number: 3 }, page })).toEqual({
      data: { number: 3, done: true, pageInfo: page },
      missing: [],
    });
  });
});
