import { OperationRegistry } from "../execute/index.ts";
import { describe, expect, it } from "vitest";
import { agentErrorCode, isCallError } from "../envelope/index.ts";
import { memoryHandles, resultReadOperation } from "./index.ts";
import type { HandleStore, ResultPage, ResultReadInput } from "./index.ts";

const INFO = { capability_id: "issue.list" };
const items = Array.from({ length: 300 }, (_, id) => ({ id, title: `Item ${id}` }));
const log = Array.from({ length: 400 }, (_, n) => `line ${n}${n % 100 === 7 ? " ERROR" : ""}`);
const data = { items, log: log.join("\n"), "odd.key": { deep: "x".repeat(9_000) } };

async function keep(value: unknown = data): Promise<{ store: HandleStore; handle: string }> {
  const store = memoryHandles();
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return { store, handle: await store.put(text, INFO) };
}

async function read(
  store: HandleStore,
  input: ResultReadInput,
  pageTokens = 400,
): Promise<ResultPage> {
  const registry = new OperationRegistry();
  registry.register(resultReadOperation(store, { pageTokens }));
  return (await registry.execute("result.read", input)).data as ResultPage;
}

async function readAll(store: HandleStore, input: ResultReadInput): Promise<ResultPage[]> {
  const pages = [await read(store, input)];
  for (let cursor = pages[0]!.cursor; cursor !== null; cursor = pages.at(-1)!.cursor) {
    pages.push(await read(store, { ...input, cursor }));
  }
  return pages;
}

async function rejectionCode(promise: Promise<unknown>): Promise<string> {
  const thrown = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  return isCallError(thrown) ? agentErrorCode(thrown) : "none";
}

describe("result.read", () => {
  it("result.read returns a stored list page by page, to its end", async () => {
    const { store, handle } = await keep();
    const pages = await readAll(store, { handle, path: "items" });
    expect(pages.length).toBeGreaterThan(3);
    expect(pages.flatMap(({ value }) => value)).toEqual(items);
    expect(pages.map(({ from }) => from)).toEqual([0, ...pages.slice(0, -1).map(({ to }) => to)]);
    expect(pages.every(({ total }) => total === 300)).toBe(true);
  });

  it("result.read returns a stored text page by page, to its end", async () => {
    const { store, handle } = await keep();
    const pages = await readAll(store, { handle, path: "log" });
    expect(pages.map(({ value }) => value).join("")).toBe(data.log);
  });

  it("result.read returns a stored value that is not JSON as text", async () => {
    const { store, handle } = await keep("plain\ntext");
    expect(await read(store, { handle })).toMatchObject({ value: "plain\ntext", cursor: null });
  });

  it("the first page of result.read outlines the whole result, with a cursor for each cut", async () => {
    const { store, handle } = await keep();
    const page = await read(store, { handle });
    expect(page.cuts?.map(({ path }) => path)).toEqual(["items", "log", '"odd.key".deep']);
    const { cursor, shown } = page.cuts![0]!;
    expect((await read(store, { handle, cursor })).from).toBe(shown);
    const tail = await read(store, { handle, cursor: page.cuts![1]!.cursor });
    expect(tail.to).toBe(data.log.length - page.cuts![1]!.shown);
    expect(tail.value).toBe(data.log.slice(tail.from, tail.to));
  });

  it("result.read continues an item that is too large for a page by the item's own cursor", async () => {
    const large = [1, 2].map((id) => ({ id, body: `${id} `.repeat(5_000) }));
    const { store, handle } = await keep(large);
    const [first, second] = await readAll(store, { handle });
    expect(first).toMatchObject({ from: 0, to: 1, cuts: [{ path: "0.body" }] });
    expect(second).toMatchObject({ from: 1, to: 2, cuts: [{ path: "1.body" }] });
    const rest = await read(store, { handle, cursor: second!.cuts![0]!.cursor });
    expect(rest).toMatchObject({ path: "1.body", from: second!.cuts![0]!.shown });
  });

  it("result.read returns an object with too many members in pages, without members whose name is too long", async () => {
    const wide = { ["k".repeat(50_000)]: 1, ...Object.fromEntries(items.map((i) => [i.title, i])) };
    const { store, handle } = await keep(wide);
    const shown = (await readAll(store, { handle })).flatMap(({ value }) => Object.keys(value!));
    expect(shown).toEqual(Object.keys(wide).slice(1));
  });

  it("a search with result.read returns each match with a few lines around it, in pages", async () => {
    const { store, handle } = await keep();
    const page = await read(store, { handle, search: "error" });
    expect(page).toMatchObject({ total: 4, cursor: null });
    expect((page.value as unknown[])[0]).toEqual({
      path: "log",
      line: 6,
      text: log.slice(5, 10).join("\n"),
    });
    const pages = await readAll(store, { handle, search: "item 1", path: "items" });
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.flatMap(({ value }) => value)).toHaveLength(111);
  });

  it("result.read returns NOT_FOUND for an unknown handle or path, and VALIDATION for a changed cursor", async () => {
    const { store, handle } = await keep();
    expect(await rejectionCode(read(store, { handle: "r_gone" }))).toBe("NOT_FOUND");
    expect(await rejectionCode(read(store, { handle, path: "itms" }))).toBe("NOT_FOUND");
    expect(await rejectionCode(read(store, { handle, path: "items.x" }))).toBe("NOT_FOUND");
    const { cursor } = await read(store, { handle, path: "items" });
    for (const bad of ["", "x", `${cursor}1`, cursor!.replace("f", "b")]) {
      expect(await rejectionCode(read(store, { handle, cursor: bad }))).toBe("VALIDATION");
    }
    expect(await rejectionCode(read(store, { handle, path: "log", cursor: cursor! }))).toBe(
      "VALIDATION",
    );
    const other = { handle, search: "error", cursor: cursor! };
    expect(await rejectionCode(read(store, other))).toBe("VALIDATION");
  });
});

describe("memoryHandles", () => {
  it("memoryHandles drops the oldest stored text when the store is full", async () => {
    const store = memoryHandles({ maxBytes: 100 });
    const [first, second, third] = [
      await store.put("a".repeat(20), INFO),
      await store.put("b".repeat(20), INFO),
      await store.put("c".repeat(20), INFO),
    ];
    expect(await store.read(first, 0, 5)).toBeUndefined();
    expect(await store.read(second, 0, 5)).toEqual({ text: "bbbbb", total: 20 });
    expect(await store.read(third, 18, 5)).toEqual({ text: "cc", total: 20 });
    await expect(store.put("d".repeat(60), INFO)).rejects.toThrow(/100 bytes/);
  });

  it("memoryHandles drops a stored text when it expires", async () => {
    const store = memoryHandles({ maxAge: -1 });
    expect(await store.read(await store.put("a", INFO), 0, 1)).toBeUndefined();
  });
});
