import { describe, expect, it } from "vitest";
import { fail, httpEnvelope } from "../envelope/index.ts";
import type { ResultEnvelope } from "../envelope/index.ts";
import { oneRouteOperation } from "../router/index.ts";
import type { RequestedPage } from "../router/index.ts";
import { createWaybill, pages } from "./index.ts";
import type { PagesOptions, Waybill } from "./index.ts";

/** A list of numbers (default: two a page); `next` returns the offset of the next page. */
function numbers(next: (offset: number) => number | null, failsAt = Infinity): Waybill {
  const list = oneRouteOperation({
    spec: {
      id: "numbers.list",
      description: "Numbers",
      effect: "read",
      idempotent: true,
      kind: "call",
      pages: true,
      inputSchema: { type: "object", properties: {} },
      outputSchema: true,
    },
    route: "rest",
    host: "numbers.example",
    async send({ page }: { page?: RequestedPage | undefined }) {
      const from = Number(page?.cursor ?? 0);
      if (from >= failsAt) throw fail("VALIDATION", "no such page");
      const data = Array.from({ length: page?.limit ?? 2 }, (_, index) => from + index);
      const after = next(from + data.length);
      const meta = { statusCode: 200, headers: {}, contentType: "application/json" };
      const nextCursor = after === null ? null : String(after);
      return { response: httpEnvelope(data, meta), upstreamRequests: 1, nextCursor };
    },
    describe: () => ({}),
  });
  return createWaybill({ operations: [list] });
}

async function read(waybill: Waybill, options?: PagesOptions): Promise<ResultEnvelope[]> {
  const all: ResultEnvelope[] = [];
  for await (const page of pages(waybill, "numbers.list", {}, options)) all.push(page);
  return all;
}

const toSix = (offset: number): number | null => (offset >= 6 ? null : offset);
const data = (all: ResultEnvelope[]): unknown[] => all.map((page) => page.data);

describe("lists read page by page", () => {
  it("pages() reads all pages in order", async () => {
    const all = await read(numbers(toSix));
    expect(data(all)).toEqual([
      [0, 1],
      [2, 3],
      [4, 5],
    ]);
    expect(all.at(-1)?.meta.pagination).toEqual({ has_next_page: false, end_cursor: null });
  });

  it("pages() starts at the given cursor with the given page size", async () => {
    const [first] = await read(numbers(toSix), { max_pages: 1 });
    const cursor = first!.meta.pagination!.end_cursor!;
    const rest = await read(numbers(toSix), { page: { cursor, limit: 3 } });
    expect(data(rest)).toEqual([
      [2, 3, 4],
      [5, 6, 7],
    ]);
  });

  it("pages() stops at max_pages (default: 100), and the last page says that there are more", async () => {
    const all = await read(
      numbers((offset) => offset),
      { max_pages: 2 },
    );
    expect(data(all)).toHaveLength(2);
    expect(all.at(-1)?.meta.pagination?.has_next_page).toBe(true);
    expect(
      data(
        await read(
          numbers((offset) => offset),
          {},
        ),
      ),
    ).toHaveLength(100);
  });

  it("pages() yields the failure of a page and ends", async () => {
    const all = await read(numbers((offset) => offset, 4));
    expect(all.map(({ ok }) => ok)).toEqual([true, true, false]);
    expect(all.at(-1)?.error).toMatchObject({ code: "VALIDATION", message: "no such page" });
  });

  it("pages() ends with an error if a cursor repeats", async () => {
    const all = await read(numbers((offset) => (offset >= 4 ? 2 : offset)));
    expect(all.map(({ ok }) => ok)).toEqual([true, true, false]);
    expect(all.at(-1)?.error).toMatchObject({ code: "SERVER", retryable: false });
  });

  it("pages() ends when the caller stops reading, at the deadline, or when the signal is aborted", async () => {
    const endless = numbers((offset) => offset);
    for await (const page of pages(endless, "numbers.list")) {
      expect(page.ok).toBe(true);
      break;
    }
    const signal = AbortSignal.abort();
    expect((await read(endless, { signal })).map(({ error }) => error?.code)).toEqual([
      "CANCELLED",
    ]);
    const late = await read(endless, { deadline_ms: 5, max_pages: 100_000 });
    expect(late.at(-1)?.error?.code).toBe("TIMEOUT");
  });

  it("pages() refuses wrong values of its options", async () => {
    await expect(read(numbers(toSix), { max_pages: 0 })).rejects.toThrow("max_pages");
    const [refused, ...others] = await read(numbers(toSix), { trase: true } as PagesOptions);
    expect(refused?.error).toMatchObject({ code: "VALIDATION" });
    expect(others).toEqual([]);
  });
});
