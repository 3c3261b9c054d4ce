import { afterAll, describe, expect, it } from "vitest";
import { stopClock } from "../support/stop-clock.ts";
import { SECRET, openShop } from "./shop.ts";
import type { Shop } from "./shop.ts";
import { WAYS, runner } from "./ways.ts";
import type { Way } from "./ways.ts";

/** One guarantee of the call path. Every way to make a call must keep it. */
type Check = (way: Way, shop: Shop) => Promise<void>;

async function forbidden(way: Way): Promise<void> {
  const shop = await openShop({ deny: ["thing.view"] });
  const { code } = await way.call(shop, "thing.view", { name: "a" });
  expect([code, shop.sent]).toEqual(["POLICY", []]);
}

const PROMISES: Readonly<Record<string, readonly [sentence: string, check: Check]>> = {
  names: [
    "rejects an unknown input name and sends nothing",
    async (way, shop) => {
      const { code, message } = await way.call(shop, "thing.view", { name: "a", siz: 1 });
      expect([code, shop.sent]).toEqual(["VALIDATION", []]);
      expect(message).toContain("siz");
    },
  ],
  aliases: [
    "accepts an input by its alias",
    async (way, shop) => {
      expect(await way.call(shop, "thing.view", { title: "a" })).toMatchObject({ data: { id: 7 } });
      expect(shop.sent.at(-1)).toMatch(/^rest \/a /u);
    },
  ],
  defaults: [
    "fills in declared defaults and reads a number from a string",
    async (way, shop) => {
      await way.call(shop, "thing.view", { name: "a" });
      expect(shop.sent.at(-1)).toBe('rest /a [["size","3"]]');
      await way.call(shop, "thing.view", { name: "b", size: "4" });
      expect(shop.sent.at(-1)).toBe('rest /b [["size","4"]]');
    },
  ],
  fallback: [
    "uses the next route if an answer does not match the schema",
    async (way, shop) => {
      const { data } = await way.call(shop, "thing.view", { name: "a" });
      expect(data).toEqual({ id: 7 });
      expect(shop.sent.map((line) => line.split(" ")[0])).toEqual(["cli", "rest"]);
    },
  ],
  policy: ["returns POLICY and sends nothing if the policy denies the call", forbidden],
  deadline: [
    "ends a call at its deadline and tells the handler",
    async (way, shop) => {
      const pass = stopClock();
      const made = way.call(shop, "thing.wait", {}, { deadlineMs: 60_000 });
      await shop.begun;
      await pass(60_000);
      expect((await made).code).toBe("TIMEOUT");
      await expect.poll(shop.aborts).toBe(1);
    },
  ],
  abort: [
    "ends a call when its caller aborts and tells the handler",
    async (way, shop) => {
      const controller = new AbortController();
      const made = way.call(shop, "thing.wait", {}, { signal: controller.signal });
      await shop.begun;
      controller.abort();
      expect((await made).code).toBe("CANCELLED");
      await expect.poll(shop.aborts).toBe(1);
    },
  ],
  settling: [
    "finds a write whose response was lost and sends it once",
    async (way, shop) => {
      const { data, warnings } = await way.call(shop, "thing.make", { name: "one" });
      expect([data, shop.made]).toEqual([{ name: "one" }, ["one"]]);
      expect(warnings?.join()).toMatch(/found/u);
    },
  ],
  keys: [
    "applies a write once when it is repeated with its key",
    async (way, shop) => {
      await way.call(shop, "thing.add", { name: "one" }, { key: "k1" });
      await way.call(shop, "thing.add", { name: "one" }, { key: "k1" });
      expect(shop.made).toEqual(["one"]);
    },
  ],
  redaction: [
    "hides secrets from a reader and gives a program the original data",
    async (way, shop) => {
      const { data } = await way.call(shop, "thing.tell", {});
      expect(JSON.stringify(data).includes(SECRET)).toBe(way.isRaw === true);
    },
  ],
  warnings: [
    "warns that an answer does not match its schema",
    async (way, shop) => {
      const { warnings } = await way.call(shop, "thing.tell", {});
      expect(warnings?.join()).toContain("does not match its schema");
    },
  ],
};

afterAll(() => runner.close());

describe.each(Object.entries(WAYS))("a call by %s", (wayName, way) => {
  const kept = Object.entries(PROMISES).filter(([name]) => way.without?.[name] === undefined);
  it.each(
    kept.map(([, [sentence, check]]) => [`a call by ${wayName}: ${sentence}`, check] as const),
  )("%s", async (_sentence, run) => run(way, await openShop()));
});
