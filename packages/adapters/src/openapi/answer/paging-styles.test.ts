import { expect, it } from "vitest";
import { dataOf, describing, waybillOf } from "../fixtures/describe-api.ts";
import { serve } from "../fixtures/echo-server.ts";

const COUNT = 25;
const SIZE = 10;
const ALL = Array.from({ length: COUNT }, (_, index) => ({ id: index + 1 }));

interface Page {
  readonly items: readonly { readonly id: number }[];
  readonly body: unknown;
  readonly headers?: Record<string, string>;
}

interface Style {
  /** The APIs that use this style, or what a response contains. */
  readonly name: string;
  /** The input that selects a page, and its schema. */
  readonly input: string;
  readonly schema?: object;
  /** The value of the input for the first page (default: 0). */
  readonly first?: number | string;
  /** The page that starts with an item, counted from 0. */
  readonly page: (start: number, asked: number) => Page;
  /** The item that a value of the input stands for (default: the value). */
  readonly start?: (value: string) => number;
}

const INTEGER = { type: "integer" };
const TEXT = { type: "string" };
const from = (start: number) => ALL.slice(start, start + SIZE);
const hasMore = (start: number): boolean => start + SIZE < COUNT;
const PAGES = Math.ceil(COUNT / SIZE);

/** A page whose list is in a member of the answer. */
const within =
  (list: string, others: (start: number, asked: number) => object) =>
  (start: number, asked: number): Page => {
    const items = from(start);
    return { items, body: { [list]: items, ...others(start, asked) } };
  };

/** A page that is only the list, with headers. */
const bare =
  (headers: (start: number) => Record<string, string>) =>
  (start: number): Page => {
    const items = from(start);
    return { items, body: items, headers: headers(start) };
  };

const oneBased = {
  first: 1,
  start: (value: string): number => (Number(value) - 1) * SIZE,
  schema: INTEGER,
};
const zeroBased = {
  first: 0,
  start: (value: string): number => Number(value) * SIZE,
  schema: INTEGER,
};
const counted = { schema: INTEGER };
const token = {
  first: "t0",
  schema: TEXT,
  start: (value: string): number => Number(value.slice(1)),
};
const nextToken = (start: number): string => `t${start + SIZE}`;

const STYLES: readonly Style[] = [
  {
    name: "Spring, whose pages start at 0",
    input: "page",
    ...zeroBased,
    schema: { ...INTEGER, default: 0 },
    page: within("content", (_start, asked) => ({ totalPages: PAGES, number: asked })),
  },
  {
    name: "Spring, without a default in the description",
    input: "page",
    ...zeroBased,
    page: within("content", (start, asked) => ({
      totalPages: PAGES,
      number: asked,
      last: !hasMore(start),
    })),
  },
  {
    name: "SCIM, whose items start at 1",
    input: "startIndex",
    first: 1,
    start: (value) => Number(value) - 1,
    ...counted,
    page: within("Resources", (_start, asked) => ({
      schemas: ["urn:list"],
      totalResults: COUNT,
      startIndex: asked,
    })),
  },
  {
    name: "Jira",
    input: "startAt",
    ...counted,
    page: within("issues", (start) => ({ startAt: start, total: COUNT })),
  },
  {
    name: "Jira, with isLast",
    input: "startAt",
    ...counted,
    page: within("values", (start) => ({ isLast: !hasMore(start) })),
  },
  {
    name: "PagerDuty",
    input: "offset",
    ...counted,
    page: within("incidents", (start) => ({ more: hasMore(start), total: null })),
  },
  {
    name: "Mailchimp",
    input: "offset",
    ...counted,
    page: within("members", () => ({ total_items: COUNT })),
  },
  {
    name: "a total beside a list of other things",
    input: "offset",
    ...counted,
    page: (start) => {
      const items = from(start);
      return { items, body: { kinds: ["a"], total: COUNT, things: items } };
    },
  },
  {
    name: "Airtable, whose offset is a token",
    input: "offset",
    ...token,
    page: within("records", (start) => (hasMore(start) ? { offset: nextToken(start) } : {})),
  },
  {
    name: "Asana",
    input: "offset",
    ...token,
    page: within("data", (start) => ({
      next_page: hasMore(start)
        ? { offset: nextToken(start), uri: `https://h/x?offset=${nextToken(start)}` }
        : null,
    })),
  },
  {
    name: "Intercom",
    input: "starting_after",
    ...token,
    page: within("data", (start) => ({
      pages: { page: 1, ...(hasMore(start) && { next: { starting_after: nextToken(start) } }) },
    })),
  },
  {
    name: "Zendesk, with a cursor after the last page",
    input: "page[after]",
    ...token,
    page: within("users", (start) => ({
      meta: { has_more: hasMore(start), after_cursor: nextToken(start) },
    })),
  },
  {
    name: "Datadog",
    input: "page[cursor]",
    ...token,
    page: within("data", (start) => ({
      meta: { page: hasMore(start) ? { after: nextToken(start) } : {} },
    })),
  },
  {
    name: "Cloudflare, with a cursor",
    input: "cursor",
    ...token,
    page: within("result", (start) => ({
      errors: [],
      result_info: { cursor: hasMore(start) ? nextToken(start) : "" },
    })),
  },
  {
    name: "a cursor that is a number",
    input: "cursor",
    ...counted,
    page: within("items", (start) => ({ next_cursor: hasMore(start) ? start + SIZE : null })),
  },
  {
    name: "Cloudflare, with pages",
    input: "page",
    ...oneBased,
    page: within("result", () => ({ errors: [], result_info: { total_pages: PAGES } })),
  },
  {
    name: "Laravel",
    input: "page",
    ...oneBased,
    page: within("data", () => ({ meta: { last_page: PAGES } })),
  },
  {
    name: "page numbers with a total of items",
    input: "page",
    ...oneBased,
    page: within("items", () => ({ total: COUNT })),
  },
  {
    name: "page numbers with has_more",
    input: "page",
    ...oneBased,
    page: within("items", (start) => ({ has_more: hasMore(start) })),
  },
  {
    name: "the number of the next page",
    input: "page",
    ...oneBased,
    page: within("items", (start, asked) => ({
      meta: { next_page: hasMore(start) ? asked + 1 : null },
    })),
  },
  {
    name: "WordPress, with the count of pages in a header",
    input: "page",
    ...oneBased,
    page: bare(() => ({ "x-wp-totalpages": String(PAGES) })),
  },
  {
    name: "the count of items in a header",
    input: "offset",
    ...counted,
    page: bare(() => ({ "x-total-count": String(COUNT) })),
  },
  {
    name: "Gitea, whose links end before full pages reach the total, and which repeats the last page",
    input: "page",
    ...oneBased,
    page: (start) => {
      const last = Math.floor((COUNT - 1) / SIZE) * SIZE;
      const next = `<https://h/x?page=${start / SIZE + 2}>; rel="next"`;
      const link = start < last ? next : '<https://h/x?page=1>; rel="prev"';
      const items = from(Math.min(start, last));
      return { items, body: items, headers: { link, "x-total-count": String(COUNT) } };
    },
  },
  {
    name: "the number of the next page, which stays the last one at the end",
    input: "page",
    ...oneBased,
    page: within("items", (start, asked) => ({ next_page: hasMore(start) ? asked + 1 : asked })),
  },
  {
    name: "page numbers from 1 whose schema also allows 0",
    input: "page",
    ...oneBased,
    schema: { type: "integer", minimum: 0 },
    page: within("items", (_start, asked) => ({ page: asked, total: COUNT })),
  },
  {
    name: "Sentry, which links to an empty page after the last one",
    input: "cursor",
    ...token,
    page: bare((start) => ({
      link: `<https://h/x?cursor=${nextToken(start)}>; rel="next"; results="${hasMore(start)}"`,
    })),
  },
];

it.each(STYLES.map((style) => [style.name, style] as const))(
  "openapiSource reads all pages of a list and returns each item once: %s",
  async (_name, style) => {
    const { input, schema = {}, first = 0, start = Number, page } = style;
    const seen: number[] = [];
    const server = await serve((request, response) => {
      const { searchParams } = new URL(request.url ?? "", "http://host");
      const asked = searchParams.get(input) ?? String(first);
      const { items, body, headers } = page(start(asked), Number(asked));
      seen.push(...items.map(({ id }) => id));
      const type = { "content-type": "application/json" };
      response.writeHead(200, { ...type, ...headers }).end(JSON.stringify(body));
    });
    const parameters = [
      { in: "query", name: input, schema },
      { in: "query", name: "limit", schema: INTEGER },
    ];
    const waybill = waybillOf(describing({ parameters }), { server });
    let cursor: string | undefined;
    for (let pages = 0; pages <= PAGES; pages++) {
      const options = cursor === undefined ? {} : { page: { cursor } };
      const result = await waybill.execute("api.op", {}, options);
      dataOf(result);
      cursor = result.meta.pagination?.end_cursor ?? undefined;
      if (cursor === undefined) break;
    }
    // Some styles need one more request, which returns an empty page, to detect the end.
    expect(cursor).toBeUndefined();
    expect(seen).toEqual(ALL.map(({ id }) => id));
    await waybill.close();
  },
);

it("openapiSource sends a numeric cursor of the next page as a number in the body", async () => {
  const bodies: unknown[] = [];
  const server = await serve(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    bodies.push(JSON.parse(Buffer.concat(chunks).toString()));
    const body = { items: [{ id: 1 }], next_cursor: bodies.length === 1 ? 7 : null };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  const properties = { cursor: INTEGER, limit: INTEGER };
  const content = { "application/json": { schema: { type: "object", properties } } };
  const description = describing({ requestBody: { content } }, {}, "/search", "post");
  const waybill = waybillOf(description, { server });
  const { meta } = await waybill.execute("api.op", { body: { limit: 1 } });
  const cursor = String(meta.pagination?.end_cursor);
  await waybill.execute("api.op", { body: { limit: 1 } }, { page: { cursor } });
  expect(bodies).toEqual([{ limit: 1 }, { limit: 1, cursor: 7 }]);
  await waybill.close();
});

it("openapiSource requests index 10 after ten items if the API does not say whether it counts from 0 or 1", async () => {
  const server = await serve((_request, response) => {
    const body = { totalItems: COUNT, items: from(0) };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  const parameters = [{ in: "query", name: "startIndex", schema: INTEGER }];
  const waybill = waybillOf(describing({ parameters }), { server });
  const { meta } = await waybill.execute("api.op", {});
  expect(meta.pagination?.end_cursor).toContain("startIndex=10");
  await waybill.close();
});
