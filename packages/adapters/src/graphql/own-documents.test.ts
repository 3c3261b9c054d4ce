import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { createWaybill } from "@waybill/core";
import type { Policy, Waybill } from "@waybill/core";
import { buildSchema, execute, graphql, parse, subscribe, validate } from "graphql";
import { createHandler } from "graphql-sse/lib/use/http";
import { describe, expect, it, onTestFinished } from "vitest";
import { createHttpTransport } from "../http/index.ts";
import { graphqlSource } from "./index.ts";
import type { GraphqlSourceOptions } from "./index.ts";

const SDL = `
  type Query { search(words: String!): [Result!]!, media(id: ID!): Media, size: Int! }
  type Mutation { lend(id: ID!): Media }
  type Subscription { lent(from: Int!): Book! }
  union Result = Book | Film | Person
  interface Media { id: ID!, title: String! }
  type Book implements Media { id: ID!, title: String!, pages: Int!, author: Person }
  type Film implements Media { id: ID!, title: String!, minutes: Int, pages: String }
  type Person { name: String!, books: [Book!]! }
`;
const schema = buildSchema(SDL);
const ANN = { __typename: "Person", name: "Ann", books: [] };
const BOOK = { __typename: "Book", id: "1", title: "A", pages: 90, author: ANN };
const FILM = { __typename: "Film", id: "2", title: "B", minutes: 100, pages: "none" };

async function* lent({ from }: { from: number }) {
  for (const id of [from, from + 1]) yield { lent: { ...BOOK, id: String(id) } };
}

schema.getSubscriptionType()!.getFields()["lent"]!.subscribe = (_root, args: { from: number }) =>
  lent(args);

const rootValue = {
  search: () => [BOOK, FILM, ANN],
  media: ({ id }: { id: string }) => (id === "1" ? BOOK : FILM),
  size: 2,
  lend: () => BOOK,
};

interface Body {
  readonly query?: string;
  readonly operationName?: string | null;
  readonly variables?: Record<string, unknown>;
  readonly documentId?: string;
  readonly extensions?: { persistedQuery: { sha256Hash: string } };
}

/** An endpoint that stores documents like Apollo's servers, and sends events like graphql-sse. */
async function library(more: Partial<GraphqlSourceOptions> = {}, policy: Policy = {}) {
  const seen: Body[] = [];
  const kept = new Map<string, string>([["known-1", "query Size { size }"]]);
  const events = createHandler({ schema, validate, execute, subscribe });
  const answer = async (body: Body): Promise<object> => {
    const id = body.documentId ?? body.extensions?.persistedQuery.sha256Hash;
    if (id !== undefined && body.query !== undefined) kept.set(id, body.query);
    const source = body.query ?? kept.get(id ?? "");
    if (source === undefined) return { errors: [{ message: "PersistedQueryNotFound" }] };
    const { variables: variableValues, operationName } = body;
    return graphql({ schema, source, rootValue, variableValues, operationName });
  };
  const server = createServer((request, response) => {
    if (request.headers.accept === "text/event-stream") return void events(request, response);
    void (async () => {
      const body = JSON.parse(await text(request)) as Body;
      seen.push(body);
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(await answer(body)));
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const transport = createHttpTransport();
  onTestFinished(() => {
    transport.close();
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const options = { name: "lib", url, schema: SDL, transport, userAgent: "test", ...more };
  const waybill = createWaybill({ sources: [graphqlSource(options)], policy });
  return { waybill, seen };
}

async function collectValues(waybill: Waybill, id: string, input: object): Promise<unknown[]> {
  const values: unknown[] = [];
  for await (const { data } of waybill.subscribe(id, input)) values.push(data);
  return values;
}

describe("GraphQL results without a selection", () => {
  it("the default GraphQL selection has the fields of every member of a union, even if their types differ", async () => {
    const { waybill, seen } = await library();
    const { data, meta } = await waybill.execute("lib.query.search", { words: "x" });
    expect(data).toEqual([
      { __typename: "Book", id: "1", title: "A", pages: 90, author: { name: "Ann" } },
      { __typename: "Film", id: "2", title: "B", minutes: 100, pages_Film: "none" },
      { __typename: "Person", name: "Ann", books: [] },
    ]);
    expect(meta.warnings).toBeUndefined();
    expect(validate(schema, parse(seen[0]!.query!))).toEqual([]);
  });

  it("the default GraphQL selection has the fields that only some types of an interface have", async () => {
    const { waybill } = await library();
    const { data } = await waybill.execute("lib.query.media", { id: "2" });
    expect(data).toEqual({ ...FILM, pages: undefined, pages_Film: "none" });
  });
});

describe("the input selection", () => {
  it("explain of a GraphQL operation lists the default fields, and then other fields that can be selected", async () => {
    const { waybill } = await library({ depth: 1 });
    const { output_fields } = await waybill.explain("lib.subscription.lent");
    expect(output_fields).toEqual(["id?", "title?", "pages?:integer", "author?"]);
  });

  it("the input selection of a GraphQL operation replaces the default fields", async () => {
    const { waybill } = await library();
    const selection = "{ title ... on Book { author { books { id } } } }";
    const { data, meta } = await waybill.execute("lib.query.media", { id: "1", selection });
    expect(data).toEqual({ title: "A", author: { books: [] } });
    expect(meta.warnings).toBeUndefined();
  });

  it("the input selection of a GraphQL operation needs no braces, and a write accepts it", async () => {
    const { waybill } = await library();
    const { data } = await waybill.execute("lib.mutation.lend", { id: "1", selection: "title" });
    expect(data).toEqual({ title: "A" });
  });

  it("later chain steps can refer to the fields of a GraphQL selection", async () => {
    const { waybill } = await library();
    const { results } = await waybill.chain([
      { id: "a", task: "lib.query.media", input: { id: "1", selection: "{ title }" } },
      { id: "b", task: "lib.query.search", input: { words: { $from: "a.data.title" } } },
    ]);
    expect(results.map(({ ok }) => ok)).toEqual([true, true]);
  });

  it.each([
    ["{ titel }", 'Cannot query field "titel" on type "Media". Did you mean "title"?'],
    ["{ title", "Syntax Error"],
    ["{ title } mutation M { lend(id: 1) { id } }", "Pass only a selection"],
    ["title } lend: media(id: 2) { title", "Syntax Error"],
    ["title } query { size", "Pass only a selection"],
    ["{ title @include(if: $all) }", 'Variable "$all" is not defined'],
  ])(
    "a GraphQL call returns VALIDATION and sends nothing for the selection %s",
    async (selection, why) => {
      const { waybill, seen } = await library();
      const { error } = await waybill.execute("lib.query.media", { id: "1", selection });
      expect(error?.code).toBe("VALIDATION");
      expect(error?.message).toContain(why);
      expect(seen).toEqual([]);
    },
  );
});

describe("documents of the caller", () => {
  it("a GraphQL document that the caller gives is run with its variables", async () => {
    const { waybill } = await library();
    const document = "query A($id: ID!) { media(id: $id) { title } size }";
    const { data } = await waybill.execute("lib.graphql", { document, variables: { id: "1" } });
    expect(data).toEqual({ media: { title: "A" }, size: 2 });
  });

  it("the operation for GraphQL queries refuses a mutation, and names the operation for mutations", async () => {
    const { waybill, seen } = await library();
    const { error } = await waybill.execute("lib.graphql", {
      document: "mutation { lend(id: 1) { id } }",
    });
    expect(error?.message).toContain("call lib.graphql.mutate");
    expect(seen).toEqual([]);
  });

  it("a caller's GraphQL document with several operations needs an operationName", async () => {
    const { waybill } = await library();
    const document = "query A { size } query B { size }";
    const { error } = await waybill.execute("lib.graphql", { document });
    expect(error?.details?.["allowed"]).toEqual(["A", "B"]);
    const answer = await waybill.execute("lib.graphql", { document, operationName: "B" });
    expect(answer.data).toEqual({ size: 2 });
  });

  it("a caller's GraphQL documents are refused if the policy has allow or deny rules", async () => {
    const { waybill } = await library({}, { deny: ["lib.mutation.*"] });
    const document = "mutation { lend(id: 1) { id } }";
    const { error } = await waybill.execute("lib.graphql.mutate", { document });
    expect(error?.code).toBe("POLICY");
  });
});

describe("persisted documents", () => {
  it("graphqlSource sends a persisted document by its hash, and the full text only once", async () => {
    const { waybill, seen } = await library({ persisted: "apollo" });
    for (const _ of [1, 2]) {
      expect((await waybill.execute("lib.query.size", {})).data).toBe(2);
    }
    expect(seen.map(({ query }) => query !== undefined)).toEqual([false, true, false]);
  });

  it("graphqlSource sends persisted documents by the ids of a file, never the full text", async () => {
    const documents = [JSON.stringify({ "known-1": "query Size { size }" })];
    const { waybill, seen } = await library({ persisted: "document-id", documents });
    expect((await waybill.execute("lib.Size", {})).data).toEqual({ size: 2 });
    expect(seen).toMatchObject([{ documentId: "known-1" }]);
    expect(seen[0]).not.toHaveProperty("query");
  });

  it("a persisted GraphQL write is not sent twice if its result contains PersistedQueryNotFound", async () => {
    const { waybill, seen } = await library({ persisted: "apollo" });
    const words = "PersistedQueryNotFound";
    const document = `mutation M { ${words}: lend(id: 1) { id } }`;
    await waybill.execute("lib.graphql.mutate", { document });
    const before = seen.length;
    const { data } = await waybill.execute("lib.graphql.mutate", { document });
    expect(data).toEqual({ [words]: { id: "1" } });
    expect(seen).toHaveLength(before + 1);
  });
});

describe("GraphQL subscriptions", () => {
  it("a GraphQL subscription to a root field yields the results of that field", async () => {
    const { waybill } = await library();
    const values = await collectValues(waybill, "lib.subscription.lent", { from: 5 });
    const author = { name: "Ann" };
    expect(values).toEqual(["5", "6"].map((id) => ({ id, title: "A", pages: 90, author })));
  });

  it("a GraphQL subscription of a configured document yields the fields that the document selects", async () => {
    const documents = ["subscription Lent($from: Int!) { lent(from: $from) { id } }"];
    const { waybill } = await library({ documents });
    const values = await collectValues(waybill, "lib.Lent", { from: 1 });
    expect(values).toEqual([{ lent: { id: "1" } }, { lent: { id: "2" } }]);
  });

  it("a GraphQL subscription of a caller's document yields the results of that document", async () => {
    const { waybill } = await library();
    const document = "subscription { lent(from: 1) { id } }";
    expect(await collectValues(waybill, "lib.graphql.subscribe", { document })).toHaveLength(2);
  });
});
