import { describe, expect, it } from "vitest";
import { SchemaCache } from "./index.ts";
import type { SchemaSlot } from "./index.ts";

function slots(cache: SchemaCache, count: number): SchemaSlot[] {
  return Array.from({ length: count }, (_, minimum) => cache.slot({ type: "number", minimum }));
}

describe("cache of compiled schemas", () => {
  it("SchemaCache keeps one entry for each schema object", () => {
    const cache = new SchemaCache();
    const schema = { type: "string" };
    expect(cache.slot(schema)).toBe(cache.slot(schema));
    expect(cache.slot(schema)).not.toBe(cache.slot({ type: "string" }));
  });

  it("SchemaCache compiles a schema on first use and only once", async () => {
    const cache = new SchemaCache();
    const slot = cache.slot({ type: "string" });
    expect(slot.compiled).toBeUndefined();
    const [first, second] = await Promise.all([cache.compile(slot), cache.compile(slot)]);
    expect(first).toBe(second);
    expect(slot.compiled).toBe(first);
    expect(cache.size).toBe(1);
  });

  it("SchemaCache accepts the schemas true and false", async () => {
    const cache = new SchemaCache();
    expect((await cache.compile(cache.slot(true))).check(1)).toBe(true);
    expect((await cache.compile(cache.slot(false))).check(1)).toBe(false);
  });

  it("SchemaCache gives the same verdicts with the option fewChecks, and compiles once", async () => {
    const schema = { type: "object", required: ["a"], properties: { a: { type: "integer" } } };
    const caches = [new SchemaCache({ fewChecks: true }), new SchemaCache()];
    const compiled = await Promise.all(
      caches.map(async (cache) => {
        const slot = cache.slot(schema);
        const [first, second] = await Promise.all([cache.compile(slot), cache.compile(slot)]);
        expect([first === second, cache.size]).toEqual([true, 1]);
        return first;
      }),
    );
    const said = (value: unknown) =>
      compiled.map((each) => [each.check(value), each.issues(value)]);
    for (const value of [{}, { a: 1.5 }, []]) {
      const [plainly, byEngine] = said(value);
      expect(plainly).toEqual(byEngine);
    }
    expect(compiled.map((each) => each.check({ a: 1 }))).toEqual([true, true]);
  });

  it("SchemaCache never keeps more schemas than its limit", async () => {
    const cache = new SchemaCache({ limit: 3 });
    const all = slots(cache, 20);
    for (const slot of all) {
      await cache.compile(slot);
      expect(all.filter(({ compiled }) => compiled !== undefined).length).toBeLessThanOrEqual(3);
    }
    expect(cache.size).toBe(3);
    expect(all.at(-1)!.compiled).toBeDefined();
  });

  it("SchemaCache keeps the schema in use even if its limit is 0", async () => {
    const cache = new SchemaCache({ limit: 0 });
    const [one, two] = slots(cache, 2) as [SchemaSlot, SchemaSlot];
    await cache.compile(one);
    await cache.compile(two);
    expect([one.compiled, two.compiled]).toEqual([undefined, expect.anything()]);
  });

  it("SchemaCache evicts a schema that was not used recently", async () => {
    const cache = new SchemaCache({ limit: 3 });
    const all = slots(cache, 5) as [SchemaSlot, SchemaSlot, SchemaSlot, SchemaSlot, SchemaSlot];
    const kept = (): boolean[] => all.map(({ compiled }) => compiled !== undefined);
    for (const slot of all.slice(0, 4)) await cache.compile(slot);
    expect(kept()).toEqual([false, true, true, true, false]);
    const used = await cache.compile(all[1]);
    await cache.compile(all[4]);
    expect(kept()).toEqual([false, true, false, true, true]);
    expect(all[1].compiled).toBe(used);
  });

  it("SchemaCache compiles an evicted schema again", async () => {
    const cache = new SchemaCache({ limit: 1 });
    const [one, two] = slots(cache, 2) as [SchemaSlot, SchemaSlot];
    const before = await cache.compile(one);
    await cache.compile(two);
    expect(one.compiled).toBeUndefined();
    const after = await cache.compile(one);
    expect(after).not.toBe(before);
    expect([after.check(0), after.check(-1)]).toEqual([true, false]);
    expect(before.check(0)).toBe(true);
  });

  it("SchemaCache does not store a schema that cannot be compiled", async () => {
    const cache = new SchemaCache({ limit: 1 });
    const good = cache.slot({ type: "string" });
    await cache.compile(good);
    await expect(cache.compile(cache.slot({ $ref: "#/gone" }))).rejects.toThrow(TypeError);
    expect(good.compiled).toBeDefined();
    expect(cache.size).toBe(1);
  });

  it("SchemaCache passes its options to the compiler", async () => {
    const cache = new SchemaCache({ interpreted: true });
    const compiled = await cache.compile(cache.slot({ required: ["valueOf"] }));
    expect([compiled.check({}), compiled.check({ valueOf: 1 })]).toEqual([false, true]);
  });
});
