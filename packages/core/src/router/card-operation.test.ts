import { describe, expect, it } from "vitest";
import { prepareCard } from "../cards/index.ts";
import type { Card, CardRequest, PreparedDocument } from "../cards/index.ts";
import { fail, httpEnvelope } from "../envelope/index.ts";
import { OperationRegistry } from "../execute/index.ts";
import type { Route } from "../envelope/index.ts";
import type { OperationContext } from "../operation/index.ts";
import { attemptRoutes } from "./attempt-routes.ts";
import type { Routed } from "./attempt-log.ts";
import { DEFAULT_RETRY } from "./backoff.ts";
import { cardOperation } from "./card-operation.ts";
import type { CardKit } from "./card-kit.ts";
import { attemptFor } from "./routed-operation.ts";
import type { RoutedOperation, RoutedRequest } from "./routed-operation.ts";
import type { Attempt, CardRoute, EnvironmentInfo, FactName } from "./route.ts";

const document = (operationName: string, kind: "query" | "mutation", names: string[]) =>
  ({
    operationName,
    kind,
    text: `${kind} ${operationName}{x}`,
    variables: names.map((name) => ({ name, required: true })),
  }) satisfies PreparedDocument;
const documents = {
  "list.graphql": document("IssueList", "query", ["owner"]),
  "create.graphql": document("IssueCreate", "mutation", ["repositoryId", "title"]),
  RepositoryId: document("RepositoryId", "query", ["owner"]),
};

const text = { type: "string" } as const;
const list: Card = {
  capability_id: "issue.list",
  version: "1.0.0",
  description: "List issues",
  effect: "read",
  input_schema: { type: "object", properties: { owner: text, first: { type: "integer" } } },
  output_schema: { type: "object", required: ["items"] },
  routing: {
    preferred: "cli",
    fallbacks: ["graphql", "rest"],
    suitability: [{ route: "rest", predicate: "env.offline", reason: "nothing else" }],
  },
  scopes: ["repo"],
  cli: { use: "rest", min_gh_version: "2.20.0" },
  graphql: { operationName: "IssueList", documentPath: "list.graphql", output: { items: "items" } },
  rest: {
    method: "GET",
    path: "/{owner}/issues",
    limits: { maxPageSize: 100 },
    output: { items: "items", end: "end" },
  },
};
const create: Card = {
  capability_id: "issue.create",
  version: "1.0.0",
  description: "Open an issue",
  effect: "write",
  input_schema: { type: "object", properties: { owner: text, title: text } },
  output_schema: { type: "object", required: ["id"] },
  routing: { preferred: "graphql", fallbacks: ["rest"] },
  idempotency_header: "Idempotency-Key",
  lookup: {
    repository: { document: "RepositoryId", variables: { owner: "owner" }, value: "repository.id" },
  },
  graphql: {
    operationName: "IssueCreate",
    documentPath: "create.graphql",
    variables: { repositoryId: "lookup.repository", title: "title" },
    output: { id: "id" },
  },
  rest: {
    when: "title != 'graphql only'",
    method: "POST",
    path: "/{owner}/issues",
    body: { title: "title" },
    output: { id: "id" },
  },
};

interface FakeRoute extends CardRoute {
  readonly sent: { readonly request: CardRequest; readonly attempt: Attempt }[];
}

/** A route that computes its answers from the requests, and records the requests. */
function fake(
  route: Route,
  answer: (request: CardRequest) => unknown,
  needs: FactName[] = [],
): FakeRoute {
  const sent: FakeRoute["sent"] = [];
  return {
    route,
    needs,
    sent,
    async send(request, attempt) {
      sent.push({ request, attempt });
      const data = answer(request);
      if (data instanceof Error) throw data;
      const meta = { statusCode: 200, headers: {}, contentType: "" };
      return { response: httpEnvelope(data, meta), upstreamRequests: 1 };
    },
    describe: (request) => ({ kind: request.kind, request }),
  };
}

function facts(known: EnvironmentInfo): { asked: FactName[][]; forgotten: FactName[][] } & {
  readonly source: NonNullable<CardKit["facts"]>;
} {
  const asked: FactName[][] = [];
  const forgotten: FactName[][] = [];
  const source: NonNullable<CardKit["facts"]> = {
    facts: async (names) => {
      asked.push([...names]);
      return known;
    },
    forget: (names) => forgotten.push([...names]),
  };
  return { asked, forgotten, source };
}

const items = { items: [1], end: null };
const three = (): FakeRoute[] => [
  fake("cli", () => items, ["ghAvailable", "ghVersion", "ghAuthenticated"]),
  fake("graphql", () => items, ["tokenPresent"]),
  fake("rest", () => items, ["tokenPresent"]),
];

async function routed(card: Card, kit: CardKit): Promise<RoutedOperation> {
  return cardOperation(await prepareCard(card, documents), kit).run as RoutedOperation;
}

const context = { signal: new AbortController().signal } as OperationContext;

async function run(
  operation: RoutedOperation,
  request: RoutedRequest,
  more: Partial<OperationContext> = {},
  conforms?: (data: unknown) => boolean,
): Promise<Routed> {
  return attemptRoutes(await operation.choices(request), {
    capability: operation.spec.id,
    attempt: attemptFor(operation, { ...context, ...more }),
    retry: { ...DEFAULT_RETRY, baseDelayMs: 0 },
    onAuthFailure: (route) => operation.onAuthFailure(route),
    ...(conforms !== undefined && { conforms: ({ data }) => conforms(data) }),
  });
}

const params = { owner: "octo" };

describe("order of a card's routes", () => {
  it("the routes of a card are tried in the order of the card", async () => {
    const operation = await routed(list, { routes: three() });
    const choices = await operation.choices({ params });
    expect(choices.map(({ route, reason }) => [route, reason])).toEqual([
      ["cli", "CARD_PREFERRED"],
      ["graphql", "CARD_FALLBACK"],
      ["rest", "CARD_FALLBACK"],
    ]);
  });

  it("a routing rule whose condition holds changes the order of routes, and reads the environment facts that it uses once", async () => {
    const { source, asked } = facts({ offline: true });
    const operation = await routed(list, { routes: three(), facts: source });
    const [first] = await operation.choices({ params });
    expect([first!.route, first!.reason]).toEqual(["rest", "CARD_FALLBACK"]);
    expect(asked).toEqual([["offline"]]);
  });

  it("the option route allows only the named route of a card, and an unknown route is refused", async () => {
    const operation = await routed(list, { routes: three() });
    const ended = await run(operation, { params, route: "rest" });
    expect(ended).toMatchObject({ routeUsed: "rest", reason: "DEFAULT_POLICY" });
    await expect(operation.choices({ params, route: "mcp" })).rejects.toMatchObject({
      message: "issue.list has no mcp route; it has cli, graphql, rest",
      details: { code: "VALIDATION", outcome: "not_applied" },
    });
  });
});

describe("preflight of a card's routes", () => {
  it.each([
    [{ ghAvailable: false }, "CLI_NOT_AVAILABLE", "CLI_NOT_AVAILABLE"],
    [{ ghVersion: "2.19.9" }, "CLI_VERSION", "CAPABILITY_LIMIT"],
    [
      { ghVersion: "2.100.0", ghAuthenticated: false },
      "CLI_UNAUTHENTICATED",
      "CLI_UNAUTHENTICATED",
    ],
  ] as const)(
    "the CLI route of a card is skipped if the environment has %j",
    async (known, code, reason) => {
      const operation = await routed(list, { routes: three(), facts: facts(known).source });
      const ended = await run(operation, { params });
      expect(ended.attempts[0]).toMatchObject({
        route: "cli",
        status: "skipped",
        error_code: code,
      });
      expect(ended).toMatchObject({ routeUsed: "graphql", reason });
    },
  );

  it("a route of a card is skipped if it is not configured or lacks a scope", async () => {
    const [, graphql, rest] = three();
    const without = await routed(list, { routes: [rest!] });
    expect((await run(without, { params })).attempts).toMatchObject([
      { route: "cli", status: "skipped", error_code: "CLI_NOT_AVAILABLE" },
      { route: "graphql", status: "skipped", error_code: "ROUTE_NOT_CONFIGURED" },
      { route: "rest", status: "success" },
    ]);
    const { source } = facts({ scopes: ["user"] });
    const ended = await run(await routed(list, { routes: [graphql!], facts: source }), { params });
    expect(ended.error?.details).toMatchObject({ code: "AUTH", outcome: "not_applied" });
    expect(ended.error?.message).toContain("lacks the scope repo");
  });

  it("a route of a card is skipped if the page size is over the route's limit", async () => {
    const [, graphql, rest] = three();
    const operation = await routed(list, { routes: [rest!, graphql!] });
    const ended = await run(operation, { params: { ...params, first: 101 }, route: "rest" });
    expect(ended.error?.message).toContain("rest: a page has at most 100 items");
    expect(ended.error?.details).toMatchObject({ code: "ADAPTER_UNSUPPORTED" });
    expect(rest!.sent).toEqual([]);
    expect((await run(operation, { params: { ...params, first: 101 } })).routeUsed).toBe("graphql");
  });

  it("a route of a card is skipped if more items are requested than one call of the route may return", async () => {
    const [, , rest] = three();
    const limited: Card = {
      ...list,
      rest: Object.assign({}, list.rest, { limits: { maxItemsPerCall: 50 } }),
    };
    const operation = await routed(limited, { routes: [rest!] });
    const ended = await run(operation, { params: { ...params, first: 51 } });
    expect(ended.error?.message).toContain("rest: a page has at most 50 items");
    expect(rest!.sent).toEqual([]);
  });

  it("a route of a card without a variant for the inputs is skipped with LIMIT_EXCEEDED", async () => {
    const rest = fake("rest", () => ({ id: "I_1" }));
    const graphql = fake("graphql", ({ kind }) => ({ kind, repository: { id: "R" }, id: "I_2" }));
    const restFirst: Card = { ...create, routing: { preferred: "rest", fallbacks: ["graphql"] } };
    const operation = await routed(restFirst, { routes: [rest, graphql] });
    const ended = await run(operation, { params: { owner: "o", title: "graphql only" } });
    expect(ended.attempts[0]).toMatchObject({ status: "skipped", error_code: "LIMIT_EXCEEDED" });
    expect(ended).toMatchObject({ routeUsed: "graphql", reason: "CAPABILITY_LIMIT" });
  });

  it("the cached facts about a route are dropped if the route's credentials fail", async () => {
    const { source, forgotten } = facts({});
    const cli = fake("cli", () => fail("AUTH", "bad token"), ["ghAuthenticated"]);
    const operation = await routed(list, { routes: [cli, ...three().slice(1)], facts: source });
    const ended = await run(operation, { params });
    expect(ended).toMatchObject({ routeUsed: "graphql", reason: "PREFERRED_ROUTE_FAILED" });
    expect(forgotten).toEqual([["ghAuthenticated"]]);
  });
});

const written = { owner: "octo", title: "Hello" };

/** A route that answers lookups and creates objects. */
function upstream(lookup: unknown = { repository: { id: "R_1" } }): FakeRoute {
  return fake("graphql", (request) =>
    request.kind === "graphql" && request.operationName === "RepositoryId" ? lookup : { id: "I_1" },
  );
}

describe("lookups of a card", () => {
  it("a lookup of a card is sent as a read before the write, and counts as an upstream request", async () => {
    const graphql = upstream();
    const ended = await run(await routed(create, { routes: [graphql] }), { params: written });
    expect(graphql.sent.map(({ attempt }) => attempt.effect)).toEqual(["read", "write"]);
    expect(graphql.sent[1]!.request).toMatchObject({
      variables: { repositoryId: "R_1", title: "Hello" },
    });
    expect([ended.response?.data, ended.upstreamRequests]).toEqual([{ id: "I_1" }, 2]);
  });

  it("a write of a card is not sent if its lookup fails", async () => {
    const down = fake("graphql", () => fail("SERVER", "down", { outcome: "unknown" }));
    const rest = fake("rest", () => ({ id: "I_2" }));
    const ended = await run(await routed(create, { routes: [down, rest] }), { params: written });
    expect(ended).toMatchObject({ routeUsed: "rest", error: undefined });
    const nothing = await routed(create, { routes: [upstream({ repository: null })] });
    const { error } = await run(nothing, { params: written });
    expect(error).toMatchObject({
      message: "issue.create found no repository",
      details: { code: "NOT_FOUND", outcome: "not_applied" },
    });
  });
});

/** A route that finds everything except the parent. */
function withoutParent(): FakeRoute {
  return fake("rest", (request) =>
    request.kind === "rest" && request.path.endsWith("/parent")
      ? fail("NOT_FOUND", "Not Found")
      : { id: request.kind === "rest" ? request.path : "" },
  );
}

describe("lookups of a list", () => {
  const { graphql: _graphql, ...restOnly } = create;
  const listed: Card = {
    ...restOnly,
    input_schema: { type: "object", properties: { owner: text, names: { type: "array" } } },
    routing: { preferred: "rest", fallbacks: [] },
    lookup: {
      ids: { each: "names", path: "/{owner}/labels/{$item}", value: "id" },
      parent: { path: "/{owner}/parent", value: "id", optional: true },
    },
    rest: {
      method: "POST",
      path: "/{owner}/labels",
      body: { ids: "lookup.ids", parent: "lookup.parent" },
      output: { id: "id" },
    },
  };

  it.each([[["a", "b"]], [[]]])(
    "a card's lookup of a list sends one request for each item: %j",
    async (names) => {
      const route = withoutParent();
      const ended = await run(await routed(listed, { routes: [route] }), {
        params: { owner: "o", names },
      });
      expect(route.sent).toHaveLength(names.length + 2);
      expect(ended.upstreamRequests).toBe(route.sent.length);
      const ids = names.map((name) => `/o/labels/${name}`);
      const { request } = route.sent.at(-1)!;
      // An optional lookup that found nothing is not sent as null.
      expect(request).toHaveProperty("body", { ids });
    },
  );

  it("a card's lookups of a list are sent at most 8 at a time, once for equal items, and keep their order", async () => {
    const names = Array.from({ length: 40 }, (_, index) => `n${index % 30}`);
    const route = withoutParent();
    let [open, most] = [0, 0];
    const slow: CardRoute = {
      ...route,
      async send(request, attempt) {
        most = Math.max(most, ++open);
        await new Promise((resolve) => setTimeout(resolve, 1));
        return route.send(request, attempt).finally(() => void open--);
      },
    };
    await run(await routed(listed, { routes: [slow] }), { params: { owner: "o", names } });
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(8);
    expect(route.sent).toHaveLength(30 + 1 + 1);
    const ids = names.map((name) => `/o/labels/${name}`);
    expect(route.sent.at(-1)!.request).toMatchObject({ body: { ids } });
  });

  it("the error of a card's lookup that finds nothing names the list item", async () => {
    const route = fake("rest", (request) =>
      JSON.stringify(request).includes("labels/b") ? fail("NOT_FOUND", "Not Found") : { id: 1 },
    );
    const { error } = await run(await routed(listed, { routes: [route] }), {
      params: { owner: "o", names: ["a", "b"] },
    });
    expect(error?.message).toBe('issue.create found no ids "b"');
  });

  it("the lookups of a card stop at the first failure", async () => {
    const names = Array.from({ length: 40 }, (_, index) => `n${index}`);
    const route = fake("rest", () => fail("AUTH", "no"));
    await run(await routed(listed, { routes: [route] }), { params: { owner: "o", names } });
    expect(route.sent.length).toBeLessThanOrEqual(8);
  });

  it("the lookups of a card are merged into one request if the route supports merging", async () => {
    const graphql = upstream();
    const together: CardRequest[][] = [];
    const merging: CardRoute = {
      ...graphql,
      canSendTogether: () => true,
      sendTogether: async (requests, attempt) => {
        together.push([...requests]);
        return Promise.all(requests.map((request) => graphql.send(request, attempt)));
      },
    };
    const repository = {
      document: "RepositoryId",
      variables: { owner: "$item" },
      each: "owners",
      value: "repository.id",
    };
    const properties = { owners: { type: "array" }, title: text };
    const { rest: _rest, ...graphqlOnly } = create;
    const card: Card = {
      ...graphqlOnly,
      input_schema: { type: "object", properties },
      lookup: { repository },
      routing: { preferred: "graphql", fallbacks: [] },
    };
    const asked = { owners: ["a", "b"], title: "T" };
    await run(await routed(card, { routes: [merging] }), { params: asked });
    expect(together.map((requests) => requests.length)).toEqual([2]);
    expect(graphql.sent.at(-1)!.request).toMatchObject({
      variables: { repositoryId: ["R_1", "R_1"] },
    });
  });
});

describe("idempotency key of a card's request", () => {
  const idempotencyKey = "k1";

  it("an idempotency key is sent in the header that the API defines for keys, and makes the request repeatable", async () => {
    const rest = fake("rest", () => ({ id: "I_1" }));
    const operation = await routed(create, { routes: [rest] });
    await run(operation, { params: written, route: "rest" }, { idempotencyKey });
    await run(operation, { params: written, route: "rest" });
    expect(rest.sent[0]!.request).toMatchObject({ headers: { "Idempotency-Key": "k1" } });
    expect(rest.sent.map(({ attempt }) => attempt.isRepeatable)).toEqual([true, false]);
    expect(rest.sent[1]!.request).toMatchObject({ headers: {} });
  });

  it.each(["a\r\nX-Evil: 1", "clé-日本"])(
    "an idempotency key that a header cannot hold is refused: %j",
    async (key) => {
      const rest = fake("rest", () => ({ id: "I_1" }));
      const operation = await routed(create, { routes: [rest] });
      const request = { params: written, route: "rest" } as const;
      const { error } = await run(operation, request, { idempotencyKey: key });
      expect(error?.message).toBe(
        "The idempotency key contains a character that the header Idempotency-Key does not allow",
      );
      expect(error?.details).toMatchObject({ code: "VALIDATION", outcome: "not_applied" });
      expect(rest.sent).toEqual([]);
    },
  );

  it("a request that does not carry the idempotency key is not repeatable", async () => {
    const graphql = upstream();
    await run(await routed(create, { routes: [graphql] }), { params: written }, { idempotencyKey });
    expect(graphql.sent[1]!.attempt.isRepeatable).toBe(false);
  });

  it("a write of unknown outcome is sent again if every route carries the idempotency key", async () => {
    const { graphql: _graphql, lookup: _lookup, ...restOnly } = create;
    const card: Card = { ...restOnly, routing: { preferred: "rest", fallbacks: [] } };
    let tries = 0;
    const rest = fake("rest", () =>
      ++tries === 1 ? fail("NETWORK", "lost", { outcome: "unknown" }) : { id: "I_1" },
    );
    const operation = await routed(card, { routes: [rest] });
    const ended = await run(operation, { params: written }, { idempotencyKey });
    expect([tries, ended.response?.data]).toEqual([2, { id: "I_1" }]);
    tries = 0;
    expect((await run(operation, { params: written })).error?.details.outcome).toBe("unknown");
    expect(tries).toBe(1);
  });
});

describe("dry run of a card", () => {
  it("a dry run of a card shows every request with placeholders, and sends nothing", async () => {
    const graphql = upstream();
    const operation = await routed(create, { routes: [graphql] });
    expect(await operation.dryRun({ params: written })).toMatchObject([
      {
        route: "graphql",
        request: { operationName: "RepositoryId", variables: { owner: "octo" } },
      },
      {
        route: "graphql",
        request: {
          operationName: "IssueCreate",
          variables: { repositoryId: { $pending: "lookup.repository" }, title: "Hello" },
        },
      },
    ]);
    expect(graphql.sent).toEqual([]);
  });

  it("a dry run of a card shows the first usable route, or fails if there is none", async () => {
    const [cli, graphql] = three();
    const { source } = facts({ ghAvailable: false });
    const operation = await routed(list, { routes: [cli!, graphql!], facts: source });
    expect(await operation.dryRun({ params })).toMatchObject([{ route: "graphql" }]);
    const none = await routed(list, { routes: [] });
    await expect(none.dryRun({ params })).rejects.toMatchObject({
      details: { code: "ADAPTER_UNSUPPORTED" },
    });
  });

  it("a dry run of a card names the missing route that a lookup needs", async () => {
    const { graphql: _graphql, ...others } = create;
    const card: Card = {
      ...others,
      routing: { preferred: "rest", fallbacks: [] },
      rest: { method: "POST", path: "/x", body: { id: "lookup.repository" }, output: { id: "id" } },
    };
    const operation = await routed(card, { routes: [fake("rest", () => ({ id: 1 }))] });
    await expect(operation.dryRun({ params: written })).rejects.toThrow("needs the graphql route");
    const { error } = await run(operation, { params: written });
    expect(error?.details).toMatchObject({ code: "ADAPTER_UNSUPPORTED", outcome: "not_applied" });
  });
});

const isFit = (data: unknown): boolean => (data as { items: unknown }).items !== "none";

describe("answers of a card", () => {
  it("an answer of a card without an output field gets a warning", async () => {
    const rest = fake("rest", () => ({ items: [] }));
    const ended = await run(await routed(list, { routes: [rest] }), { params, route: "rest" });
    expect(ended.response).toMatchObject({
      data: { items: [] },
      meta: { warnings: ["the rest answer has no end"] },
    });
  });

  it("a card whose mapping reads a part of the answer that is null returns NOT_FOUND", async () => {
    const rest: Card["rest"] = {
      method: "GET",
      path: "/x",
      output: { from: "a.b", fields: { items: "c" } },
    };
    const card: Card = { ...list, rest };
    const answering = async (answer: object) => {
      const routes = [fake("rest", () => answer)];
      return run(await routed(card, { routes }), { params, route: "rest" });
    };
    expect((await answering({ a: null })).error?.details).toMatchObject({ code: "NOT_FOUND" });
    expect((await answering({ a: { b: null } })).error?.details).toMatchObject({
      code: "NOT_FOUND",
    });
    expect((await answering({})).response?.data).toBeNull();
    expect((await answering({ a: { b: { c: [] } } })).response?.data).toEqual({ items: [] });
  });

  it("a read of a card whose answer breaks its schema is tried on the next route", async () => {
    const cli = fake("cli", () => ({ items: "none", end: null }));
    const operation = await routed(list, { routes: [cli, ...three().slice(1)] });
    const ended = await run(operation, { params }, {}, isFit);
    expect(ended).toMatchObject({
      routeUsed: "graphql",
      reason: "PREFERRED_ROUTE_FAILED",
      upstreamRequests: 2,
      attempts: [
        { route: "cli", status: "error", error_code: "SERVER" },
        { route: "graphql", status: "success" },
      ],
    });
  });

  it("a card returns an answer that breaks its schema if no route returns a valid answer", async () => {
    const cli = fake("cli", () => ({ items: "none", end: null }));
    const others = [
      fake("graphql", () => fail("AUTH", "no")),
      fake("rest", () => fail("AUTH", "no")),
    ];
    const operation = await routed(list, { routes: [cli, ...others] });
    const ended = await run(operation, { params }, {}, isFit);
    expect(ended).toMatchObject({
      routeUsed: "cli",
      reason: "CARD_PREFERRED",
      response: { data: { items: "none" } },
      upstreamRequests: 3,
    });
    expect(ended.attempts).toHaveLength(3);
    const { source } = facts({ ghAvailable: false });
    const odd = fake("graphql", () => ({ items: "none" }));
    const routes = [...three().slice(0, 1), odd, ...others.slice(1)];
    const skipped = await run(await routed(list, { routes, facts: source }), { params }, {}, isFit);
    expect(skipped).toMatchObject({ routeUsed: "graphql", reason: "CLI_NOT_AVAILABLE" });
  });
});

describe("cardOperation", () => {
  it("a card can be registered and called like any operation", async () => {
    const kit = { routes: three(), host: "example.com", env: () => ({ viewer: "ada" }) };
    const operation = cardOperation(await prepareCard(list, documents), kit);
    expect(operation.spec).toMatchObject({
      id: "issue.list",
      effect: "read",
      parameters: ["owner", "first"],
    });
    expect(operation.run).toMatchObject({
      kind: "routed",
      host: "example.com",
      honoursKeys: false,
    });
    const registry = new OperationRegistry();
    registry.register(operation);
    const { data } = await registry.execute("issue.list", params);
    expect(data).toMatchObject({ items: [1] });
  });
});
