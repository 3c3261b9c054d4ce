import { describe, expect, it } from "vitest";
import { prepareCard } from "../../cards/index.ts";
import type { Card, CardRequest } from "../../cards/index.ts";
import { httpEnvelope, localEnvelope } from "../../envelope/index.ts";
import type { Route } from "../../envelope/index.ts";
import { defineOperation } from "../../operation/index.ts";
import { cardOperation, oneRouteOperation } from "../../router/index.ts";
import type { CardRoute } from "../../router/index.ts";
import { localSource } from "../../source/index.ts";
import { createWaybill, pages } from "../index.ts";
import { paginate, unwrapCursor, wrapCursor } from "./paging.ts";

describe("wrapCursor and unwrapCursor", () => {
  it("wrapCursor accepts a cursor of 200,000 characters", () => {
    const cursor = "é".repeat(200_000);
    expect(unwrapCursor(wrapCursor("rest", cursor))).toEqual({ route: "rest", cursor });
  });

  it.each(["", "page=2&x=ü", "a b", "a+b", "😀"])(
    "wrapCursor encodes the cursor %j, and unwrapCursor returns it unchanged",
    (cursor) => {
      const wrapped = wrapCursor("rest", cursor);
      expect(wrapped).toMatch(/^wb1\.rest\.[\w-]*$/);
      expect(unwrapCursor(wrapped)).toEqual({ route: "rest", cursor });
    },
  );

  it.each(["abc", "2/10", "a.b", "Y3Vyc29yOnYyOpHOABC/="])(
    "wrapCursor does not encode the cursor %j, and unwrapCursor returns it unchanged",
    (cursor) => {
      expect(wrapCursor("graphql", cursor)).toBe(`wb2.graphql.${cursor}`);
      expect(unwrapCursor(`wb2.graphql.${cursor}`)).toEqual({ route: "graphql", cursor });
    },
  );

  it.each(["a+b==", "2/10", "Y3Vyc29yOnYyOpHOABC/=", "a&b#c%20"])(
    "the wrapped cursor %j is unchanged after it was part of the query of a URL",
    (cursor) => {
      const url = new URL(`http://localhost/?cursor=${wrapCursor("graphql", cursor)}`);
      const carried = url.searchParams.get("cursor") ?? "";
      expect(unwrapCursor(carried)).toEqual({ route: "graphql", cursor });
    },
  );

  it("unwrapCursor accepts a cursor in the older encoded form", () => {
    expect(unwrapCursor("wb1.rest.Mi8xMA")).toEqual({ route: "rest", cursor: "2/10" });
  });

  it.each([
    "",
    "abc",
    "wb1",
    "wb1.rest",
    "wb1.soap.YQ",
    "wb2.soap.a",
    "wb3.rest.YQ",
    "wb1.rest.%%%",
    "wb1.rest._w",
    "wb2.rest.",
    "wb2.rest.a b",
  ])("unwrapCursor returns undefined for %j", (cursor) => {
    expect(unwrapCursor(cursor)).toBeUndefined();
  });
});

const card: Card = {
  capability_id: "issue.list",
  version: "1.0.0",
  description: "List issues",
  effect: "read",
  input_schema: {
    type: "object",
    properties: { first: { type: "integer", default: 2 }, after: { type: "string" } },
  },
  output_schema: { type: "object" },
  routing: { preferred: "graphql", fallbacks: ["rest"] },
  graphql: {
    operationName: "IssueList",
    documentPath: "list.graphql",
    output: { items: "items", pageInfo: "pageInfo" },
  },
  rest: {
    method: "GET",
    path: "/issues",
    query: { per_page: "first", page: "after" },
    output: { items: "items" },
  },
};
const documents = {
  "list.graphql": {
    operationName: "IssueList",
    kind: "query",
    text: "query IssueList{x}",
    variables: ["first", "after"].map((name) => ({ name, required: false })),
  },
} as const;

const sent: CardRequest[] = [];
function fake(route: Route, data: unknown, nextCursor?: string | null): CardRoute {
  const response = httpEnvelope(data, { statusCode: 200, headers: {}, contentType: "" });
  return {
    route,
    needs: [],
    async send(request) {
      sent.push(request);
      return { response, upstreamRequests: 1, ...(nextCursor !== undefined && { nextCursor }) };
    },
    describe: () => ({}),
  };
}
const pageInfo = { hasNextPage: true, endCursor: "raw1" };
const routes = [fake("graphql", { items: [1], pageInfo }), fake("rest", { items: [1] }, "2")];
const local = defineOperation({
  id: "file.list",
  description: "List files",
  effect: "read",
  handler: () => [],
});
const listing = cardOperation(await prepareCard(card, documents), { routes });
const waybill = createWaybill({ operations: [listing, local] });

async function variables(params: object, options: object): Promise<unknown> {
  sent.length = 0;
  const { error } = await waybill.execute("issue.list", params, options);
  if (error !== null) throw new Error(error.message);
  const [request] = sent;
  return request?.kind === "graphql"
    ? request.variables
    : request?.kind === "rest" && request.query;
}

describe("pages of a list with several routes", () => {
  it("the next cursor of a list names its route and is in the data and in the meta", async () => {
    const { data, meta } = await waybill.execute("issue.list");
    const end_cursor = wrapCursor("graphql", "raw1");
    expect(meta.pagination).toEqual({ has_next_page: true, end_cursor });
    expect(data).toMatchObject({ pageInfo: { hasNextPage: true, endCursor: end_cursor } });
  });

  it("the next cursor of a list comes from the transport if the data has none", async () => {
    const { data, meta } = await waybill.execute("issue.list", {}, { route: "rest" });
    const end_cursor = wrapCursor("rest", "2/2");
    expect([data, meta.pagination]).toEqual([{ items: [1] }, { has_next_page: true, end_cursor }]);
  });

  it("a next cursor continues the list on the route that returned it, as page option and as input", async () => {
    const cursor = wrapCursor("rest", "2");
    const expected = [
      ["per_page", "2"],
      ["page", "2"],
    ];
    expect(await variables({}, { page: { cursor } })).toEqual(expected);
    expect(await variables({ after: cursor }, {})).toEqual(expected);
  });

  it("a next cursor of numbered pages continues with the page size of the first page", async () => {
    const { meta } = await waybill.execute("issue.list", { first: 5 }, { route: "rest" });
    const after = meta.pagination?.end_cursor;
    const expected = [
      ["per_page", "5"],
      ["page", "2"],
    ];
    expect(await variables({ after }, {})).toEqual(expected);
    expect(await variables({ after, first: 5 }, {})).toEqual(expected);
  });

  it.each([
    [{ first: 3 }, {}],
    [{}, { page: { limit: 3 } }],
  ])(
    "a next cursor of numbered pages is refused with another page size: params %j, page %j",
    async (size, options) => {
      sent.length = 0;
      const params = { after: wrapCursor("rest", "2/5"), ...size };
      const { error } = await waybill.execute("issue.list", params, options);
      expect(error).toMatchObject({
        code: "VALIDATION",
        details: { issues: [{ path: "/first" }] },
      });
      expect(sent).toEqual([]);
    },
  );

  it("a cursor of the GraphQL API that Waybill did not wrap is passed to the GraphQL route unchanged", async () => {
    expect(await variables({ after: "raw0" }, {})).toEqual({ first: 2, after: "raw0" });
  });

  it("the page option overrides the inputs first and after", async () => {
    const page = { cursor: wrapCursor("graphql", "raw9"), limit: 9 };
    expect(await variables({ first: 5, after: "raw5" }, { page })).toEqual({
      first: 9,
      after: "raw9",
    });
    expect(await variables({ first: 5 }, { page: { cursor: "raw5" } })).toMatchObject({ first: 5 });
  });

  it("a next cursor is refused if the call cannot use the route that returned it", async () => {
    sent.length = 0;
    const page = { cursor: wrapCursor("graphql", "raw1") };
    const { error } = await waybill.execute("issue.list", {}, { page, route: "rest" });
    expect(error).toMatchObject({ code: "VALIDATION", details: { issues: [{ path: "/route" }] } });
    const gone = { cursor: wrapCursor("cli", "raw1") };
    const other = await waybill.execute("issue.list", {}, { page: gone });
    expect(other.error).toMatchObject({ code: "VALIDATION" });
    expect(sent).toEqual([]);
  });
});

function numbers(id: string, properties: object) {
  return defineOperation({
    id,
    description: "Count",
    effect: "read",
    input: { type: "object", properties },
    handler(input) {
      const { cursor = "0", limit = 2 } = input as { cursor?: string; limit?: number };
      const end = Number(cursor) + limit;
      const pagination = { has_next_page: end < 5, end_cursor: end < 5 ? String(end) : null };
      return localEnvelope([cursor, limit], id, { pagination });
    },
  });
}

describe("pages of a list with its own cursors", () => {
  const own = createWaybill({
    operations: [
      numbers("number.list", { cursor: {}, limit: {} }),
      numbers("digit.list", { cursor: {} }),
    ],
  });

  it("pages() follows the cursors that a handler returns", async () => {
    const read: unknown[] = [];
    for await (const { data } of pages(own, "number.list", {})) read.push(data);
    expect(read).toEqual([
      ["0", 2],
      ["2", 2],
      ["4", 2],
    ]);
    const page = { cursor: "3", limit: 1 };
    expect((await own.execute("number.list", { cursor: "1" }, { page })).data).toEqual(["3", 1]);
  });

  it("the option page.limit is refused for a list that has no input for a page size", async () => {
    expect((await own.execute("digit.list", {}, { page: { cursor: "3" } })).data).toEqual(["3", 2]);
    const { error } = await own.execute("digit.list", {}, { page: { limit: 1 } });
    expect(error).toMatchObject({
      code: "VALIDATION",
      details: { issues: [{ path: "/page/limit" }] },
    });
  });
});

describe("operations without pages", () => {
  it("the page option is refused for an operation without pages", async () => {
    const { error } = await waybill.execute("file.list", {}, { page: { limit: 2 } });
    expect(error).toMatchObject({ code: "VALIDATION", message: "file.list has no pages" });
  });

  it("paginate leaves the data unchanged and reports the last page if the transport reports it", () => {
    const data = { items: [] };
    const spec = { inputSchema: true, outputSchema: true } as const;
    const whole = paginate(data, { routeUsed: "rest", nextCursor: undefined }, spec, {});
    expect(whole).toEqual({ data, pagination: undefined });
    const last = paginate(data, { routeUsed: "rest", nextCursor: null }, spec, {});
    expect(last.pagination).toEqual({ has_next_page: false, end_cursor: null });
  });
});

describe("pages of an operation whose route does the paging", () => {
  const asked: unknown[] = [];
  const operation = oneRouteOperation({
    spec: {
      id: "list.all",
      description: "Lists everything",
      effect: "read",
      idempotent: true,
      kind: "call",
      // The upstream's own inputs have the same names as the paging inputs.
      inputSchema: { type: "object", properties: { first: {}, after: {} } },
      outputSchema: true,
      pages: true,
    },
    route: "rest",
    host: "h",
    async send({ page }) {
      asked.push(page);
      const meta = { statusCode: 200, headers: {}, contentType: "application/json" };
      const nextCursor = page?.cursor === undefined ? "p=2" : null;
      return { response: httpEnvelope([], meta), upstreamRequests: 1, nextCursor };
    },
    describe: () => ({}),
  });
  const paged = createWaybill({ sources: [localSource("list", [operation])] });

  it("a route that fetches pages by itself gets the limit and its own unwrapped cursor beside the params", async () => {
    const first = await paged.execute("list.all", {}, { page: { limit: 3 } });
    const cursor = first.meta.pagination?.end_cursor ?? "";
    const second = await paged.execute("list.all", {}, { page: { cursor } });
    expect(asked).toEqual([{ limit: 3 }, { cursor: "p=2" }]);
    expect(second.meta.pagination).toEqual({ has_next_page: false, end_cursor: null });
  });

  it("inputs named first and after have no special meaning if the route fetches pages by itself", async () => {
    expect((await paged.execute("list.all", { first: 1, after: "x" })).ok).toBe(true);
  });

  it("a cursor that Waybill did not wrap is refused if the route fetches pages by itself", async () => {
    const { error } = await paged.execute("list.all", {}, { page: { cursor: "p=2" } });
    expect(error).toMatchObject({
      code: "VALIDATION",
      details: { issues: [{ path: "/page/cursor" }] },
    });
  });
});
