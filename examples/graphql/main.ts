// Adds a GraphQL endpoint as a source. Each root field is an operation, and so is each document of yours.
import assert from "node:assert/strict";
import { createHttpTransport } from "@waybill/adapters/http";
import { graphqlSource } from "@waybill/adapters/graphql";
import { createWaybill } from "@waybill/core";
import { startBookshop } from "./bookshop.ts";

const shop = await startBookshop();
const transport = createHttpTransport();
const common = { url: shop.url, transport, userAgent: "waybill-example" };

// Without documents, Waybill reads the schema from the endpoint, and you can call every root field.
const fields = graphqlSource({ name: "books", ...common });
// A document becomes one operation. Its answer has only the fields that the document selects.
const documents = [
  "# Titles, a page at a time\nquery Titles($first: Int) { books(first: $first) { nodes { title } } }",
];
const titles = graphqlSource({ name: "shop", documents, ...common });
const waybill = createWaybill({ sources: [fields, titles] });

const explained = await waybill.explain("books.query.book");
assert.deepEqual(explained.required_inputs, ["id:string"]);

const book = await waybill.execute("books.query.book", { id: "1" });
console.log(JSON.stringify(book));
assert.deepEqual(book.data, { id: "1", title: "On waybills", author: { name: "A. Carrier" } });

const first = await waybill.execute("books.query.books", {}, { page: { limit: 1 } });
assert.equal(first.meta.pagination?.has_next_page, true);
const cursor = first.meta.pagination?.end_cursor ?? "";
const second = await waybill.execute("books.query.books", {}, { page: { cursor, limit: 1 } });
console.log(JSON.stringify(second.data));
assert.equal(second.meta.pagination?.has_next_page, false);

const lean = await waybill.execute("shop.Titles", { first: 2 });
console.log(JSON.stringify(lean.data));
assert.deepEqual(lean.data, {
  books: { nodes: [{ title: "On waybills" }, { title: "On parcels" }] },
});

const wrong = await waybill.execute("books.mutation.order", { input: { bok: "1" } });
console.log(JSON.stringify(wrong.error));
assert.equal(wrong.error?.code, "VALIDATION");
assert.equal(shop.orders, 0);

const ordered = await waybill.execute("books.mutation.order", { input: { book: "1" } });
assert.deepEqual(ordered.data, { number: 1 });
assert.equal(shop.orders, 1);

await waybill.close();
transport.close();
await shop.close();
