import { describe, expect, it } from "vitest";
import { defineOperation } from "../operation/index.ts";
import { OperationRegistry } from "../execute/index.ts";
import { sourceContract } from "../testing/index.ts";
import { attachSource, localSource } from "./index.ts";
import type { Source } from "./index.ts";

const double = defineOperation({
  id: "math.double",
  description: "Doubles a number",
  effect: "read",
  input: { type: "object", required: ["value"], properties: { value: { type: "number" } } },
  output: { type: "number" },
  handler: ({ value }) => value * 2,
});

const nothing = (): void => {};

const example = { id: "math.double", input: { value: 4 }, data: 8, badInput: { value: "four" } };

describe("local functions as a source", () => {
  for (const { name, run } of sourceContract(() => localSource("math", [double]), example)) {
    it(name, () => run());
  }

  it("localSource refuses two operations with the same id", () => {
    expect(() => localSource("math", [double, double])).toThrow("math defines math.double twice");
  });

  it("localSource throws for an id that it does not have", () => {
    expect(() => localSource("math", [double]).describe("math.halve")).toThrow(
      expect.objectContaining({
        message: 'math has no operation called "math.halve"',
        details: { hint: "List the operations of math again, because they may have changed" },
      }),
    );
  });

  it("localSource keeps valid operations and reports an invalid operation", async () => {
    const registry = new OperationRegistry();
    const bad = { ...double, spec: { ...double.spec, id: "no dots" } };
    const attached = await attachSource(registry, localSource("math", [bad, double]));
    expect(attached.ids).toEqual(["math.double"]);
    expect(attached.problems).toMatchObject([{ source: "math", operationId: "no dots" }]);
  });

  it("an operation of a source whose id is taken by another source gets a longer id", async () => {
    const registry = new OperationRegistry();
    registry.register(double);
    const attached = await attachSource(registry, localSource("other", [double]));
    expect(attached.collisions).toEqual([
      { source: "other", id: "math.double", as: "other.math.double", holder: "this program" },
    ]);
    expect(registry.getSpec("other.math.double")?.declaredId).toBe("math.double");
    await attached.detach();
    expect(registry.getSpec("math.double")).toBe(double.spec);
  });

  it("an operation registry follows the changes of a source", async () => {
    const halve = { ...double, spec: { ...double.spec, id: "math.halve" } };
    let current = localSource("math", [double]);
    let changed = nothing;
    const changing: Source = {
      name: "math",
      list: () => current.list(),
      describe: (id) => current.describe(id),
      runOf: (id) => current.runOf(id),
      onChange(listener) {
        changed = listener;
        return () => {
          changed = () => {};
        };
      },
      close: () => Promise.resolve(),
    };
    const registry = new OperationRegistry();
    const attached = await attachSource(registry, changing);
    current = localSource("math", [halve]);
    changed();
    await Promise.resolve();
    await expect.poll(() => attached.ids).toEqual(["math.halve"]);
    expect(registry.list().map(({ id }) => id)).toEqual(["math.halve"]);
    attached.forget();
    current = localSource("math", [double]);
    changed();
    expect(registry.size).toBe(0);
  });

  it("an operation registry reads the spec of a source's operation only when the spec is needed", async () => {
    let described = 0;
    const source = localSource("math", [double]);
    const counted = {
      ...source,
      describe(id: string) {
        described += 1;
        return source.describe(id);
      },
    };
    const registry = new OperationRegistry();
    await attachSource(registry, counted);
    registry.search("double");
    expect(described).toBe(0);
    await registry.execute("math.double", { value: 1 });
    expect(described).toBe(1);
  });
});
