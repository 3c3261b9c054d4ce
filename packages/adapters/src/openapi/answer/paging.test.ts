import { describe, expect, it } from "vitest";
import { dataOf, describing, waybillOf } from "../fixtures/describe-api.ts";
import { serve } from "../fixtures/echo-server.ts";

type Raw = Record<string, unknown>;
type Page = { readonly body: unknown; readonly link?: string };

const LINKED = { 200: { headers: { Link: { schema: { type: "string" } } } } };

/** Follows a list to its end and returns the requests that were sent. */
async function follow(
  names: readonly string[],
  page: (query: URLSearchParams) => Page,
  more: Raw = {},
) {
  const asked: string[] = [];
  const server = await serve((request, response) => {
    const { search, searchParams } = new URL(request.url ?? "", "http://host");
    asked.push(search);
    const { body, link } = page(searchParams);
    const headers = { "content-type": "application/json", ...(link !== undefined && { link }) };
    response.writeHead(200, headers).end(JSON.stringify(body));
  });
  const parameters = names.map((name) => ({ in: "query", name, schema: {} }));
  const waybill = waybillOf(describing({ parameters, ...more }), { server });
  let cursor: string | null | undefined;
  for (let pages = 0; pages < 5 && cursor !== null; pages++) {
    const options = typeof cursor === "string" ? { page: { cursor } } : {};
    const result = await waybill.execute("api.op", { [names[0]!]: "x" }, options);
    dataOf(result);
    cursor = result.meta.pagination?.end_cursor ?? null;
    expect(result.meta.pagination).toMatchObject({ has_next_page: cursor !== null });
  }
  return asked;
}

describe("next pages of a list", () => {
  it("openapiSource requests the next page of a list from the URL in the Link header", async () => {
    const asked = await follow(
      ["q", "page"],
      (query) =>
        query.get("page") === "2"
          ? { body: [] }
          : { body: [1], link: '<https://other.example/else?q=x&page=2>; rel="next"' },
      { responses: LINKED },
    );
    expect(asked).toEqual(["?q=x", "?q=x&page=2"]);
  });

  it.each<[string, string[], Raw, Raw, string]>([
    [
      "Slack",
      ["q", "cursor"],
      { response_metadata: { next_cursor: "c=" } },
      { response_metadata: { next_cursor: "" } },
      "?q=x&cursor=c%3D",
    ],
    [
      "Kubernetes",
      ["q", "continue"],
      { metadata: { continue: "c" } },
      { metadata: {} },
      "?q=x&continue=c",
    ],
    ["Google", ["q", "pageToken"], { nextPageToken: "c" }, {}, "?q=x&pageToken=c"],
    ["AWS", ["q", "NextToken"], { NextToken: "c" }, {}, "?q=x&NextToken=c"],
    [
      "Stripe",
      ["q", "starting_after"],
      { has_more: true, data: [{ id: "a" }, { id: "c" }] },
      { has_more: false, data: [] },
      "?q=x&starting_after=c",
    ],
    [
      "Twilio",
      ["q", "PageToken"],
      { next_page_uri: "/v1?q=x&PageToken=c&Page=1" },
      { next_page_uri: null },
      "?q=x&PageToken=c&Page=1",
    ],
    [
      "DigitalOcean",
      ["q", "page"],
      { links: { pages: { next: "https://h/v2?q=x&page=2" } } },
      { links: {}, meta: { total_pages: 1 } },
      "?q=x&page=2",
    ],
    [
      "OData",
      ["q", "$skip"],
      { "@odata.nextLink": "https://h/x?q=x&$skiptoken=c" },
      { value: [], total: 0 },
      "?q=x&%24skiptoken=c",
    ],
    [
      "an API with a page count",
      ["q", "page"],
      { total_pages: 2 },
      { total_pages: 1 },
      "?q=x&page=2",
    ],
    [
      "an API with a total",
      ["q", "offset"],
      { total: 2, items: [1] },
      { total: 1, items: [1] },
      "?q=x&offset=1",
    ],
  ])(
    "openapiSource requests the next page in the style of %s",
    async (_name, names, first, last, second) => {
      let asked = 0;
      const pages = await follow(names, () => ({ body: asked++ === 0 ? first : last }));
      expect(pages).toEqual(["?q=x", second]);
    },
  );

  it("openapiSource sends the option page.limit as the API's page size parameter", async () => {
    const parameters = [
      { in: "query", name: "per_page", schema: {} },
      { in: "query", name: "page", schema: {} },
    ];
    const waybill = waybillOf(describing({ parameters }));
    const options = { page: { limit: 5 }, dry_run: true };
    const { data } = await waybill.execute("api.op", { per_page: 9 }, options);
    expect(data).toMatchObject({
      requests: [{ url: "https://api.example.com/things?per_page=5" }],
    });
  });
});

describe("refused pages", () => {
  const page = { in: "query", name: "page", schema: {} };

  it.each([
    ["limit for an operation without pages", [], { limit: 1 }, "has no pages"],
    ["limit that differs from a fixed page size", [page], { limit: 1 }, "page size is fixed"],
    ["cursor of another capability", [page], { cursor: "2" }, "belongs to another capability"],
  ])("openapiSource refuses a page %s", async (_name, parameters, wanted, message) => {
    const waybill = waybillOf(describing({ parameters }));
    const { error } = await waybill.execute("api.op", {}, { page: wanted, dry_run: true });
    expect(error).toMatchObject({
      code: "VALIDATION",
      message: expect.stringContaining(message) as string,
    });
  });
});

describe("lists without a sign of a next page", () => {
  it("openapiSource returns no pagination for a list that does not say whether it continues", async () => {
    const server = await serve((_request, response) => {
      response.writeHead(200, { "content-type": "application/json" }).end("[1]");
    });
    const parameters = [{ in: "query", name: "page", schema: {} }];
    const { meta } = await waybillOf(describing({ parameters }), { server }).execute("api.op");
    expect(meta).not.toHaveProperty("pagination");
  });
});
