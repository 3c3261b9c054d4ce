import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { buildSchema, graphql } from "graphql";

const schema = buildSchema(`
  type Query {
    "One book"
    book(id: ID!): Book
    books(first: Int, after: String): BookPage!
  }
  type Mutation { order(input: OrderInput!): Order! }
  type Book { id: ID!, title: String!, author: Author! }
  type Author { name: String! }
  type BookPage { nodes: [Book!]!, pageInfo: PageInfo! }
  type PageInfo { hasNextPage: Boolean!, endCursor: String }
  type Order { number: Int! }
  input OrderInput { book: ID! }
`);

const BOOKS = [
  { id: "1", title: "On waybills", author: { name: "A. Carrier" } },
  { id: "2", title: "On parcels", author: { name: "B. Porter" } },
];

interface Page {
  readonly first?: number;
  readonly after?: string;
}

function getPage({ first = 10, after = "0" }: Page): object {
  const end = Number(after) + first;
  const pageInfo = { hasNextPage: end < BOOKS.length, endCursor: String(end) };
  return { nodes: BOOKS.slice(Number(after), end), pageInfo };
}

export interface Bookshop {
  readonly url: string;
  readonly orders: number;
  close(): Promise<void>;
}

/** A bookshop with a GraphQL endpoint on this machine. */
export async function startBookshop(): Promise<Bookshop> {
  let orders = 0;
  const rootValue = {
    book: ({ id }: { id: string }) => BOOKS.find((book) => book.id === id),
    books: getPage,
    order: () => ({ number: (orders += 1) }),
  };
  const server = createServer((request, response) => {
    void (async () => {
      const { query, variables } = JSON.parse(await text(request)) as {
        query: string;
        variables: Record<string, unknown>;
      };
      const answer = await graphql({ schema, source: query, rootValue, variableValues: variables });
      response.setHeader("content-type", "application/json").end(JSON.stringify(answer));
    })();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`,
    get orders() {
      return orders;
    },
    async close() {
      server.close();
      await once(server, "close");
    },
  };
}
