import { readdir, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../journal/fixtures/temporary.ts";
import { openHandleStore } from "./index.ts";
import type { HandleStore, HandleStoreOptions } from "./index.ts";

const TEXT = { contentType: "text/plain" };
const DAY = 86_400_000;

async function makeStore(
  options: HandleStoreOptions = {},
): Promise<{ store: HandleStore; path: string }> {
  const path = join(await temporaryFolder(onTestFinished), "results");
  return { store: openHandleStore({ path, ...options }), path };
}

describe("the handle store", () => {
  it("the handle store returns a stored value, whole or in parts", async () => {
    const { store } = await makeStore();
    const json = JSON.stringify({ text: "grüße 👋" });
    const handle = await store.put(json, { contentType: "application/json" });
    const { part, ...info } = await store.read(handle);
    expect(Buffer.from(part).toString()).toBe(json);
    expect(info).toMatchObject({ contentType: "application/json", bytes: part.length, offset: 0 });
    const middle = await store.read(handle, { offset: 2, length: 4 });
    expect(Buffer.from(middle.part).toString()).toBe("text");
    expect(middle).toMatchObject({ offset: 2, bytes: part.length });
  });

  it("the handle store keeps binary and empty values unchanged", async () => {
    const { store } = await makeStore();
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
    const binary = await store.put(bytes, { contentType: "application/octet-stream" });
    expect([...(await store.read(binary)).part]).toEqual([...bytes]);
    const empty = await store.put("", TEXT);
    expect(await store.info(empty)).toMatchObject({ bytes: 0, contentType: "text/plain" });
    expect((await store.read(empty)).part).toHaveLength(0);
  });

  it("the handle store returns only the bytes that exist for a range outside of the value", async () => {
    const { store } = await makeStore();
    const handle = await store.put("0123456789", TEXT);
    const read = async (offset: number, length: number): Promise<string> =>
      Buffer.from((await store.read(handle, { offset, length })).part).toString();
    expect(await read(8, 100)).toBe("89");
    expect(await read(100, 1)).toBe("");
    expect(await read(-5, 2)).toBe("01");
    expect(await read(3, -1)).toBe("");
  });

  it("the handle store accepts any content type and replaces invalid characters", async () => {
    const { store } = await makeStore();
    const handle = await store.put("x", {
      contentType: `text/plain; x="\\ü\n"${"\\".repeat(900)}`,
    });
    expect((await store.info(handle)).contentType).toMatch(/^text\/plain; x="\\\?\?"\\+$/);
  });

  it("the files of the handle store are readable by their user only", async () => {
    const { store, path } = await makeStore();
    const handle = await store.put("secret", TEXT);
    expect((await stat(join(path, handle))).mode & 0o777).toBe(0o600);
    expect((await stat(path)).mode & 0o777).toBe(0o700);
  });

  it.each(["", "../../etc/passwd", "x".repeat(22), "a/../../../../etc/passwd", "%2e%2e"])(
    "the handle store returns NOT_FOUND for the handle %j",
    async (handle) => {
      const { store } = await makeStore();
      await store.put("x", TEXT);
      await expect(store.read(handle)).rejects.toMatchObject({ details: { code: "NOT_FOUND" } });
      await expect(store.info(handle)).rejects.toMatchObject({ details: { code: "NOT_FOUND" } });
    },
  );

  it("the handle store creates handles that are random and unique", async () => {
    const { store } = await makeStore();
    const handles = await Promise.all(Array.from({ length: 20 }, () => store.put("x", TEXT)));
    expect(new Set(handles).size).toBe(20);
    for (const handle of handles) expect(handle).toMatch(/^r\d{39}$/);
  });

  it("the handle store removes a value that is older than a day", async () => {
    let time = Date.now();
    const { store, path } = await makeStore({ now: () => time });
    const old = await store.put("old", TEXT);
    time += DAY + 1_000;
    await expect(store.read(old)).rejects.toMatchObject({ details: { code: "NOT_FOUND" } });
    await store.put("new", TEXT);
    expect(await readdir(path)).not.toContain(old);
  });

  it("the handle store removes the oldest values if it is over its size limit", async () => {
    const { store, path } = await makeStore({ maxBytes: 4_000 });
    const handles: string[] = [];
    for (let index = 0; index < 4; index++) {
      const handle = await store.put("x".repeat(700), TEXT);
      const time = Date.now() / 1_000 - 100 + index;
      await utimes(join(path, handle), time, time);
      handles.push(handle);
    }
    expect((await readdir(path)).toSorted()).toEqual(handles.slice(1).toSorted());
  });

  it("the handle store returns TOO_LARGE for a value over the size limit of the whole store", async () => {
    const { store } = await makeStore({ maxBytes: 1_000 });
    await expect(store.put("x".repeat(1_000), TEXT)).rejects.toMatchObject({
      details: { code: "TOO_LARGE" },
    });
  });

  it("the handle store's error names the folder that cannot be written", async () => {
    const file = join(await temporaryFolder(onTestFinished), "file");
    await writeFile(file, "");
    const store = openHandleStore({ path: join(file, "results") });
    await expect(store.put("x", TEXT)).rejects.toMatchObject({
      details: { code: "NOT_READY", hint: expect.stringContaining(file) as string },
    });
  });
});
