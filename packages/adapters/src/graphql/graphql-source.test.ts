import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { createWaybill, errorFromUnknown } from "@waybill/core";
import type { SourceProblem } from "@waybill/core";
import { sourceContract } from "@waybill/core/testing";
import { buildSchema, graphql, introspectionFromSchema } from "graphql";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createHttpTransport, documentCache } from "../http/index.ts";
import { graphqlSource } from "./index.ts";
import type { GraphqlSourceOptions } from "./index.ts";

const SDL = `
  type Query {
    "One book by its id"
    book(id: ID!): Book
    books(first: Int, after: String, kind: Kind): BookConnection!
    find(filter: Filter!): [Item!]!
    shelf(size: Int! = 2, kind: Kind! = POEM): String!
  }
  type Mutation { addBook(input: AddBook!): Book! }
  type Subscription { added: Book }
  enum Kind { NOVEL POEM }
  interface Item { id: ID! }
  type Book implements Item { id: ID!, title: String!, kind: Kind, author: Author, loans(first: Int): BookConnection! }
  type Author { name: String!, born: Date, books: BookConnection! }
  type BookConnection { nodes: [Book], pageInfo: PageInfo!, totalCount: Int! }
  type PageInfo { hasNextPage: Boolean!, endCursor: String }
  input AddBook { title: String!, kind: Kind, tags: [String!] }
  input Filter { title: String, not: Filter }
  scalar Date
`;

const BOOKS = [
  { id: "1", title: "A", kind: "NOVEL", author: { name: "Ann", born: "1900-01-01" } },
  { id: "2", title: "B", kind: null, author: null },
];

function getPage({ after }: { after?: string }) {
  const start = Number(after ?? 0);
  return {
    nodes: BOOKS.slice(start, start + 1),
    totalCount: BOOKS.length,
    pageInfo: { hasNextPage: start + 1 < BOOKS.length, endCursor: String(start + 1) },
  };
}

const rootValue = {
  book: ({ id }: { id: string }) => BOOKS.find((book) => book.id === id),
  books: getPage,
  find: () => BOOKS.map((book) => ({ __typename: "Book", ...book })),
  shelf: ({ size, kind }: { size: number; kind: string }) => `${size} ${kind}`,
  addBook: ({ input }: { input: { title: string } }) => {
    if (input.title === "fail") throw new Error("after it was written");
    return { id: "3", ...input };
  },
};

const schema = buildSchema(SDL);

async function upstream() {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const body = JSON.parse(await text(request)) as {
        query: string;
        variables: Record<string, unknown>;
      };
      seen.push(body.query);
      const { query: source, variables: variableValues } = body;
      const answer = await graphql({ schema, source, rootValue, variableValues });
      response.setHeader("content-type", "application/json").end(JSON.stringify(answer));
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const transport = createHttpTransport();
  const close = (): void => {
    transport.close();
    server.close();
  };
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`;
  return { seen, close, options: { url, transport, userAgent: "test", name: "library" } };
}

async function library(more: Partial<GraphqlSourceOptions> = { schema: SDL }) {
  const { seen, close, options } = await upstream();
  onTestFinished(close);
  const problems: SourceProblem[] = [];
  const source = graphqlSource({ ...options, ...more });
  const observer = { onProblem: (problem: SourceProblem) => void problems.push(problem) };
  const waybill = createWaybill({ sources: [source], observer });
  return { waybill, seen, problems, source };
}

const example = {
  id: "library.query.book",
  input: { id: "1" },
  data: { id: "1", title: "A", kind: "NOVEL", author: { name: "Ann", born: "1900-01-01" } },
  badInput: { id: 1 },
};

const noToken = () => undefined;

describe("graphqlSource", () => {
  for (const { name, run } of sourceContract(async () => (await library()).source, example)) {
    it(name, () => run());
  }

  it("graphqlSource caches the schema of an endpoint, and uses the cached schema while the endpoint is unreachable", async () => {
    const folder = await mkdtemp(join(tmpdir(), "waybill-schemas-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const { seen, close, options } = await upstream();
    const cache = documentCache(folder);
    const listed = async () => {
      const source = graphqlSource({ ...options, cache });
      return [(await source.list()).length, source.problems?.() ?? []] as const;
    };
    const [count, problems] = await listed();
    expect([count > 3, problems]).toEqual([true, []]);
    expect(await listed()).toEqual([count, problems]);
    expect(seen).toHaveLength(1);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 300_001 });
    onTestFinished(() => void vi.useRealTimers());
    expect(await listed()).toEqual([count, problems]);
    expect(seen).toHaveLength(2);
    close();
    vi.setSystemTime(Date.now() + 300_001);
    const away = graphqlSource({ ...options, cache, transport: createHttpTransport() });
    expect(await away.list()).toHaveLength(count);
    expect(away.problems?.()[0]?.message).toMatch(/^the copy from .* UTC is used/u);
  });

  it("graphqlSource makes each root field an operation that returns plain fields down to a limited depth", async () => {
    const { waybill, seen } = await library();
    const { data } = await waybill.execute("library.query.book", { id: "1" });
    expect(data).toEqual(example.data);
    expect(seen[0]).not.toContain("loans");
    const explained = await waybill.explain("library.query.book");
    expect(explained).toMatchObject({ effect: "read", purpose: "One book by its id" });
  });

  it("graphqlSource reads a GraphQL connection page by page", async () => {
    const { waybill } = await library();
    const first = await waybill.execute("library.query.books", {}, { page: { limit: 1 } });
    expect(first.data).toMatchObject({ nodes: [{ title: "A" }], totalCount: 2 });
    expect(first.meta.pagination).toMatchObject({ has_next_page: true });
    const cursor = first.meta.pagination?.end_cursor ?? "";
    const second = await waybill.execute("library.query.books", {}, { page: { cursor } });
    expect(second.data).toMatchObject({ nodes: [{ title: "B" }] });
    expect(second.meta.pagination).toMatchObject({ has_next_page: false });
  });

  it("graphqlSource checks the inputs of a field by the endpoint's schema, including nested input types", async () => {
    const { waybill, seen } = await library();
    const bad = await waybill.execute("library.query.find", { filter: { not: { titel: "x" } } });
    expect(bad.error).toMatchObject({ code: "VALIDATION" });
    const kind = await waybill.execute("library.query.books", { kind: "ESSAY" });
    expect(JSON.stringify(kind.error?.details)).toContain("NOVEL");
    expect(seen).toEqual([]);
    const found = await waybill.execute("library.query.find", { filter: { not: { title: "x" } } });
    expect(found.data).toMatchObject([{ __typename: "Book", id: "1" }, { id: "2" }]);
  });

  it.each([
    [{}, "2 POEM"],
    [{ size: 5 }, "5 POEM"],
    [{ size: 5, kind: "NOVEL" }, "5 NOVEL"],
  ])(
    "graphqlSource fills an omitted non-null argument with its default: %j",
    async (input, data) => {
      const { waybill } = await library();
      expect((await waybill.execute("library.query.shelf", input)).data).toBe(data);
    },
  );

  it("graphqlSource makes a mutation a write", async () => {
    const { waybill } = await library();
    const explained = await waybill.explain("library.mutation.addBook");
    expect(explained.effect).toBe("write");
    const input = { title: "C", kind: null };
    const { data } = await waybill.execute("library.mutation.addBook", { input });
    expect(data).toMatchObject({ id: "3", title: "C" });
  });

  it("a failed GraphQL mutation has an unknown outcome and is not repeated", async () => {
    const { waybill, seen } = await library();
    const input = { title: "fail" };
    const { error } = await waybill.execute("library.mutation.addBook", { input });
    expect(error).toMatchObject({ retryable: false, details: { outcome: "unknown" } });
    expect(seen).toHaveLength(1);
  });

  it("graphqlSource requests the schema from the endpoint if no schema is given", async () => {
    const { waybill, seen } = await library({});
    expect((await waybill.execute("library.query.book", { id: "2" })).data).toMatchObject({
      title: "B",
      author: null,
    });
    expect(seen[0]).toContain("IntrospectionQuery");
  });

  it("graphqlSource accepts a saved introspection result as the schema", async () => {
    const saved = JSON.stringify({ data: introspectionFromSchema(schema) });
    const { waybill } = await library({ schema: saved });
    expect((await waybill.execute("library.query.book", { id: "1" })).data).toEqual(example.data);
  });

  it("graphqlSource makes each configured document an operation, and reports invalid documents", async () => {
    const documents = [
      `# Titles by page
       query Titles($first: Int = 2, $withKind: Boolean!) {
         books(first: $first) { nodes { title ...Kind @include(if: $withKind) } }
       }
       query Wrong { nothing }
       subscription Added { added { id } }
       { books { totalCount } }
       fragment Kind on Book { kind }
       fragment Unused on Book { id }`,
      "query Half {",
    ];
    const { waybill, problems, seen } = await library({ schema: SDL, documents });
    const { data } = await waybill.execute("library.Titles", { withKind: true });
    expect(data).toEqual({ books: { nodes: [{ title: "A", kind: "NOVEL" }] } });
    expect(seen[0]).not.toContain("Unused");
    expect((await waybill.explain("library.Titles")).purpose).toBe("Titles by page");
    expect(problems.map(({ operationId, message }) => `${operationId}: ${message}`)).toEqual([
      'library.Wrong: Cannot query field "nothing" on type "Query".',
      'library.query: it has no name; write one after "query"',
      expect.stringContaining("library.document2: Syntax Error"),
    ]);
  });

  it("a dry run of a GraphQL call shows the request without the token", async () => {
    const { waybill, seen } = await library({ schema: SDL, token: "very-secret" });
    const shown = await waybill.execute("library.query.book", { id: "1" }, { dry_run: true });
    expect(JSON.stringify(shown)).not.toContain("very-secret");
    expect(shown.data).toMatchObject({ requests: [{ body: { variables: { id: "1" } } }] });
    expect(seen).toEqual([]);
  });

  it("a GraphQL call without its token fails with AUTH, and the error names the token", async () => {
    const tokenHint = "set LIBRARY_TOKEN";
    const { waybill } = await library({ schema: SDL, token: noToken, tokenHint });
    const { error } = await waybill.execute("library.query.book", { id: "1" });
    expect(error).toMatchObject({ code: "AUTH" });
    expect(error?.message).toContain("set LIBRARY_TOKEN");
  });

  it.each(["type Query {", "{}", "", "<html>"])(
    "graphqlSource refuses the schema %j",
    async (broken) => {
      const { source } = await library({ schema: broken });
      const error = await source.list().then(() => undefined, errorFromUnknown);
      expect(error?.message).toContain("The GraphQL schema cannot be read");
    },
  );
});
