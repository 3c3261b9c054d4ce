import { readFile, readdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { createWaybill, defineOperation, localSource } from "@waybill/core";
import type { Waybill } from "@waybill/core";
import { temporaryFolder } from "../journal/fixtures/temporary.ts";
import { KeptIndex, keptSource } from "./index.ts";
import type { KeptSourceOptions } from "./index.ts";

const HOUR_MS = 3_600_000;

/** A source whose operations are the words of a file. */
async function world(location?: string) {
  const folder = await temporaryFolder(onTestFinished);
  const file = join(folder, "words");
  await writeFile(file, "refund invoice");
  const opened: string[] = [];
  const open: KeptSourceOptions["open"] = async () => {
    const text = await readFile(file, "utf8");
    opened.push(text);
    const operations = text.split(" ").map((word) =>
      defineOperation({
        id: `shop.${word}`,
        description: `The ${word} of a shop`,
        effect: "read",
        handler: () => word,
      }),
    );
    return localSource("shop", operations);
  };
  const documents = () => [location ?? pathToFileURL(file).href];
  const waybill = (more: Partial<KeptSourceOptions> = {}): Waybill => {
    const index = new KeptIndex(join(folder, "index"), "shop");
    const made = createWaybill({
      sources: [keptSource({ name: "shop", open, documents, index, ...more })],
    });
    onTestFinished(() => made.close());
    return made;
  };
  const indexFile = async (): Promise<string> => {
    const [name] = await readdir(join(folder, "index"));
    return join(folder, "index", name!);
  };
  return { file, opened, waybill, indexFile };
}

async function found(waybill: Waybill, query: string): Promise<string[]> {
  return (await waybill.list_capabilities({ query })).map(({ capability_id }) => capability_id);
}

describe("index of a source on disk", () => {
  afterEach(() => void vi.useRealTimers());

  it("another process searches the stored index of a source without opening the source, and opens it for a call", async () => {
    const { waybill, opened } = await world();
    expect(await found(waybill(), "refund")).toEqual(["shop.refund"]);
    const other = waybill();
    expect(await found(other, "refund")).toEqual(["shop.refund"]);
    expect(opened).toHaveLength(1);
    expect((await other.execute("shop.refund")).data).toBe("refund");
    expect((await other.execute("shop.invoice")).data).toBe("invoice");
    expect(opened).toHaveLength(2);
  });

  it("the stored index of a source is rebuilt when the source's file has changed", async () => {
    const { waybill, file } = await world();
    await found(waybill(), "refund");
    await writeFile(file, "refund payout customer");
    expect(await found(waybill(), "payout")).toEqual(["shop.payout"]);
  });

  it.each(["", "x", "{}\n"])(
    "the stored index of a source is rebuilt if its file contains %j",
    async (content) => {
      const { waybill, indexFile } = await world();
      await found(waybill(), "refund");
      await writeFile(await indexFile(), content);
      expect(await found(waybill(), "refund")).toEqual(["shop.refund"]);
    },
  );

  it("the stored index of a source is rebuilt if one byte of its file is wrong", async () => {
    const { waybill, indexFile, opened } = await world();
    await found(waybill(), "refund");
    const bytes = await readFile(await indexFile());
    bytes[bytes.length - 3]! ^= 1;
    await writeFile(await indexFile(), bytes);
    expect(await found(waybill(), "refund")).toEqual(["shop.refund"]);
    expect(opened).toHaveLength(2);
  });

  it("the stored index of a remote source is fresh for an hour, and is then reported as old", async () => {
    const { waybill, indexFile, opened } = await world("https://shop.test/openapi.json");
    await found(waybill(), "refund");
    const onOld = vi.fn<() => void>();
    await found(waybill({ onOld }), "refund");
    expect(onOld).not.toHaveBeenCalled();
    const before = new Date(Date.now() - 2 * HOUR_MS);
    await utimes(await indexFile(), before, before);
    expect(await found(waybill({ onOld }), "refund")).toEqual(["shop.refund"]);
    expect(onOld).toHaveBeenCalledOnce();
    expect(opened).toHaveLength(1);
  });

  it("a long-running process follows changes of the file of an indexed source, even after a call", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const { waybill, file } = await world();
    const staying = waybill({ watchMs: 1_000 });
    await found(staying, "refund");
    await writeFile(file, "refund payout customer");
    await vi.advanceTimersByTimeAsync(1_000);
    await expect.poll(() => found(staying, "payout")).toEqual(["shop.payout"]);
    expect((await staying.execute("shop.payout")).data).toBe("payout");
    await writeFile(file, "webhook and more words");
    await vi.advanceTimersByTimeAsync(1_000);
    await expect.poll(() => found(staying, "webhook")).toEqual(["shop.webhook"]);
    expect((await staying.execute("shop.webhook")).data).toBe("webhook");
    expect((await staying.execute("shop.payout")).error?.code).toBe("NOT_FOUND");
  });

  it("the callback onOld is called if an indexed source is closed before it was read, and not if it is closed later", async () => {
    const { waybill } = await world();
    const onOld = vi.fn<() => void>();
    const slow = waybill({ open: () => new Promise(() => {}), onOld });
    expect(await slow.list_capabilities({ query: "refund", wait_ms: 0 })).toEqual([]);
    expect(onOld).not.toHaveBeenCalled();
    await slow.close();
    expect(onOld).toHaveBeenCalledOnce();
    const quick = waybill({ onOld });
    expect(await found(quick, "refund")).toEqual(["shop.refund"]);
    await quick.close();
    expect(onOld).toHaveBeenCalledOnce();
  });

  it("an indexed source that cannot be opened is down, with the reason", async () => {
    const { waybill } = await world();
    const broken = waybill({ open: () => Promise.reject(new Error("no such file")) });
    await broken.list_capabilities();
    expect(broken.sources()).toMatchObject([
      { state: "down", problem: { message: "no such file" } },
    ]);
  });
});
