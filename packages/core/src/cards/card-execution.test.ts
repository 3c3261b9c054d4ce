import { beforeAll, describe, expect, it } from "vitest";
import {
  buildRequest,
  lookupRequests,
  lookupValue,
  mapOutput,
  prepareCard,
  checkCard,
  choosePart,
  orderRoutes,
  verifyProbe,
} from "./index.ts";
import type { Card, CardRequest, CardRouteName, CardScope, PreparedCard } from "./index.ts";

const documents = {
  "documents/issue-create.graphql": {
    operationName: "IssueCreate",
    kind: "mutation",
    text: "mutation IssueCreate($input:CreateIssueInput!){createIssue(input:$input){issue{id}}}",
    variables: [{ name: "input", required: true }],
  },
  RepositoryId: {
    operationName: "RepositoryId",
    kind: "query",
    text: "query RepositoryId($owner:String!,$name:String!){repository(owner:$owner,name:$name){id}}",
    variables: [
      { name: "owner", required: true },
      { name: "name", required: true },
    ],
  },
} as const;

const text = { type: "string" };
const card: Card = {
  capability_id: "issue.create",
  version: "1.0.0",
  description: "Open an issue",
  effect: "write",
  idempotent: false,
  aliases: { name: ["repo"] },
  input_schema: {
    type: "object",
    required: ["owner", "name", "title"],
    properties: { owner: text, name: text, title: text, body: { type: ["string", "null"] } },
  },
  output_schema: { type: "object", required: ["id", "number", "url"] },
  routing: {
    preferred: "graphql",
    fallbacks: ["rest", "cli"],
    suitability: [
      {
        route: "cli",
        predicate: "env.ghAuthenticated && !env.tokenPresent",
        reason: "gh has a token",
      },
      { route: "rest", predicate: "params.body == `null`", reason: "short" },
    ],
  },
  lookup: {
    repository: {
      document: "RepositoryId",
      variables: { owner: "owner", name: "name" },
      value: "repository.id",
    },
  },
  graphql: {
    operationName: "IssueCreate",
    documentPath: "documents/issue-create.graphql",
    variables: { input: { repositoryId: "lookup.repository", title: "title", body: "body" } },
    output: {
      from: "createIssue.issue",
      fields: { id: "id", number: "number", title: "title", state: "state", url: "url" },
    },
  },
  rest: {
    method: "POST",
    path: "/repos/{owner}/{name}/issues",
    body: { title: "title", body: "body" },
    limits: { maxItemsPerCall: 1 },
    output: {
      fields: {
        id: "node_id",
        number: "number",
        title: "title",
        state: { map: { open: "OPEN", closed: "CLOSED" }, of: "state" },
        url: "html_url",
      },
    },
  },
  cli: { use: "rest", min_gh_version: "2.23.0" },
  verify: {
    capability: "issue.list",
    params: { owner: "owner", name: "name" },
    same: { title: "title", body: "body", author: "viewer" },
    created: "createdAt",
  },
};

const params = { owner: "octo", name: "hello", title: "A title", body: "A body" };
const issue = { id: "I_1", number: 7, title: "A title", state: "OPEN", url: "https://x/7" };

/** An upstream that knows one repository, over GraphQL and over REST. */
function answer(request: CardRequest): unknown {
  if (request.kind === "graphql") {
    if (request.operationName === "RepositoryId") return { repository: { id: "R_1" } };
    const { input } = request.variables as { input: { repositoryId: string; title: string } };
    expect(input.repositoryId).toBe("R_1");
    return { createIssue: { issue: { ...issue, title: input.title } } };
  }
  if (request.kind !== "rest") throw new Error("no command expected");
  expect(request).toMatchObject({ method: "POST", path: "/repos/octo/hello/issues" });
  const { title } = request.body as { title: string };
  return { node_id: "I_1", number: 7, title, state: "open", html_url: "https://x/7" };
}

/** Runs a card like the router, but without handling failures. */
function execute(prepared: PreparedCard, route: CardRouteName, scope: CardScope): unknown {
  const lookup = Object.fromEntries(
    lookupRequests(prepared, route, scope).map(({ name, request }) => [
      name,
      lookupValue(prepared, { name }, answer(request), scope),
    ]),
  );
  const full = { ...scope, lookup };
  const { data, missing } = mapOutput(
    prepared,
    route,
    answer(buildRequest(prepared, route, full)),
    full,
  );
  expect(missing).toEqual([]);
  return data;
}

let prepared: PreparedCard;
beforeAll(async () => {
  prepared = JSON.parse(JSON.stringify(await prepareCard(card, documents))) as PreparedCard;
});

describe("execution of one card", () => {
  it("checkCard reports no problems for the example card", async () => {
    const { problems } = await checkCard(card, { file: "issue-create.yaml" }, { documents });
    expect(problems).toEqual([]);
  });

  it.each(["graphql", "rest", "cli"] as const)(
    "the example card returns the same data on the route %s",
    (route) => {
      expect(execute(prepared, route, { params })).toEqual(issue);
    },
  );

  it("a lookup of a card is requested only on the route that needs its value", () => {
    expect(lookupRequests(prepared, "rest", { params })).toEqual([]);
    const [lookup] = lookupRequests(prepared, "graphql", { params });
    expect(lookup).toMatchObject({
      name: "repository",
      request: { operationName: "RepositoryId" },
    });
    const again = lookupRequests(prepared, "graphql", { params: { ...params, title: "other" } });
    expect(again[0]!.key).toBe(lookup!.key);
  });

  it("a lookup of a card that finds nothing fails, and the error names the missing object", () => {
    expect(() =>
      lookupValue(prepared, { name: "repository" }, { repository: null }, { params }),
    ).toThrow("issue.create found no repository");
  });

  it("a request of a card omits absent params and keeps params that are null", () => {
    const { body: _body, ...short } = params;
    expect(buildRequest(prepared, "rest", { params: short })).toMatchObject({
      body: { title: "A title" },
    });
    expect(buildRequest(prepared, "rest", { params: { ...params, body: null } })).toMatchObject({
      body: { title: "A title", body: null },
    });
  });

  it("mapOutput lists the missing fields of a response and refuses an unknown enum value", () => {
    const { missing } = mapOutput(prepared, "rest", { number: 1, title: null }, { params });
    expect(missing).toEqual(["id", "state", "url"]);
    expect(() => mapOutput(prepared, "rest", { state: "odd" }, { params })).toThrow(
      'the rest answer of issue.create is not as expected: state "odd" is not one of open, closed',
    );
  });

  it("verifyProbe returns the read that shows whether a write was applied, and the values to compare", () => {
    expect(verifyProbe(prepared, { params, env: { viewer: "mona" } })).toEqual({
      kind: "created",
      needsViewer: true,
      reads: [],
      capability: "issue.list",
      params: { owner: "octo", name: "hello" },
      same: { title: "A title", body: "A body", author: "mona" },
      missing: [],
      created: "createdAt",
      authoritative: false,
    });
    expect(verifyProbe(prepared, { params })?.missing).toEqual(["author"]);
  });

  it("verifyProbe leaves out a read whose request cannot be built from the params", async () => {
    const rest = {
      when: "body",
      path: "/repos/{owner}/{name}/issues/1",
      value: { title: "title" },
    };
    const verify = { kind: "state", same: { title: "title" }, rest } as const;
    const settled = await prepareCard({ ...card, verify }, documents);
    expect(verifyProbe(settled, { params })?.reads).toMatchObject([
      { api: "rest", request: { method: "GET", path: "/repos/octo/hello/issues/1" } },
    ]);
    const { body: _body, ...without } = params;
    expect(verifyProbe(settled, { params: without })).toBeUndefined();
  });

  it("a prepared card lists its limits, its minimum CLI version and the environment facts that it uses", () => {
    const program = choosePart(prepared, "cli", { params });
    expect(program).toMatchObject({ limits: { maxItemsPerCall: 1 }, minVersion: "2.23.0" });
    expect(choosePart(prepared, "graphql", { params }).limits).toEqual({});
    expect(prepared.facts).toEqual(["ghAuthenticated", "tokenPresent"]);
  });
});

function routes(given: object, facts: object): string[] {
  return orderRoutes(prepared, { ...params, ...given }, facts).map(({ route }) => route);
}

describe("orderRoutes", () => {
  it("the routes of a card are tried in the order of the card by default", () => {
    expect(orderRoutes(prepared, params, {})).toEqual([
      { route: "graphql", reason: "CARD_PREFERRED" },
      { route: "rest", reason: "CARD_FALLBACK" },
      { route: "cli", reason: "CARD_FALLBACK" },
    ]);
  });

  it("a routing rule of a card whose condition holds moves its route to the front, and the first rule has priority", () => {
    expect(orderRoutes(prepared, params, { ghAuthenticated: true })[0]).toEqual({
      route: "cli",
      reason: "CARD_FALLBACK",
      note: "gh has a token",
    });
    expect(routes({ body: null }, {})).toEqual(["rest", "graphql", "cli"]);
    expect(routes({ body: null }, { ghAuthenticated: true })).toEqual(["cli", "rest", "graphql"]);
    expect(routes({}, { ghAuthenticated: true, tokenPresent: true })[0]).toBe("graphql");
  });
});
