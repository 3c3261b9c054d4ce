// Calls an API by its OpenAPI description: search, explain, call, page through a list, read an error.
import assert from "node:assert/strict";
import { join } from "node:path";
import { openapiSource } from "@waybill/adapters/openapi";
import { createWaybill, memoryHandles } from "@waybill/core";
import { Library } from "./library.ts";

const library = new Library();
const baseUrl = await library.start();
const handles = memoryHandles();
const file = join(import.meta.dirname, "api.yaml");
const source = openapiSource({
  name: "library",
  file,
  baseUrl,
  credentials: { reader: { env: "LIBRARY_CARD" } },
  handles,
  // The library runs on this machine. A source may reach private addresses only with this option.
  allowPrivate: true,
});
const waybill = createWaybill({ sources: [source], handles });

const found = await waybill.list_capabilities({ query: "books" });
console.log("# Operations for books", found);
assert.deepEqual(found.map(({ capability_id }) => capability_id).toSorted(), [
  "library.books.add",
  "library.books.cover",
  "library.books.list",
]);

// The description marks `id` as read-only, so it is not an input. A sequel is itself a book.
const explained = await waybill.explain("library.books.add");
console.log("# Required inputs to add a book", explained.required_inputs);
assert.deepEqual(explained.required_inputs, [
  "body:{title, tags?:string[], sequel?:{title, tags?:string[], sequel?:{…}}}",
]);

// LIBRARY_CARD is not set, so the API has no credential: the call fails before anything is sent.
const refused = await waybill.execute("library.books.list");
console.log("# Without a library card", refused.error?.message);
assert.equal(refused.error?.code, "AUTH");
assert.equal(library.requests.length, 0);
process.env["LIBRARY_CARD"] = "card-7";

const input = { tag: ["old", "new"] };
const dry = await waybill.execute("library.books.list", input, { dry_run: true });
console.log("# What would be sent", JSON.stringify(dry.data));
assert.equal(library.requests.length, 0);
assert.ok(!JSON.stringify(dry).includes("card-7"));

// `page` works for every API, even if the API has other names for its page inputs.
const titles: unknown[] = [];
let cursor: string | null | undefined;
do {
  const page = { limit: 2, ...(typeof cursor === "string" && { cursor }) };
  const list = await waybill.execute("library.books.list", input, { page, select: ["*.title"] });
  titles.push(list.data);
  cursor = list.meta.pagination?.end_cursor;
} while (typeof cursor === "string");
console.log("# Page by page", JSON.stringify(titles), library.requests);
assert.deepEqual(library.requests, [
  "GET /v1/books?tag=old,new&per_page=2",
  "GET /v1/books?tag=old,new&per_page=2&page=2",
]);

const added = await waybill.execute("library.books.add", { body: { title: "Ulysses II" } });
console.log("# The new book", JSON.stringify(added.data));
assert.deepEqual(added.data, { title: "Ulysses II", id: 4 });

const twice = await waybill.execute("library.books.add", { body: { title: "Dune" } });
console.log("# Refused by the library", JSON.stringify(twice.error));
assert.equal(twice.error?.code, "CONFLICT");
assert.equal(twice.error.details?.["outcome"], "not_applied");
assert.deepEqual(twice.error.details["body"], { message: "We have that one", title: "Dune" });

const cover = await waybill.execute("library.books.cover", { id: 1 });
console.log("# A file is stored, and the answer has its handle", JSON.stringify(cover.data));
assert.ok(cover.ok);

await waybill.close();
library.close();
