import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TreeInterpreter, compile } from "@jmespath-community/jmespath";
import { evaluate, prepareMapping } from "./index.ts";

const name = fc.oneof(
  fc.constantFrom("a", "b", "id", "__proto__", "constructor", "toString", "x-y", "é", 'q"q'),
  fc.string({ minLength: 1, maxLength: 4 }),
);
const json = fc.jsonValue({ maxDepth: 4 });

function quoted(keys: readonly string[]): string {
  return keys.map((key) => JSON.stringify(key)).join(".");
}

/** A value that has `leaf` at the path. All members are its own, not inherited. */
function nested(keys: readonly string[], leaf: unknown): unknown {
  return keys.reduceRight<unknown>((inner, key) => {
    const holder: Record<string, unknown> = {};
    Object.defineProperty(holder, key, { value: inner, enumerable: true });
    return holder;
  }, leaf);
}

async function read(keys: readonly string[], value: unknown): Promise<unknown> {
  const prepared = await prepareMapping({ x: quoted(keys) });
  return evaluate(prepared, { value, variables: {} });
}

const path = fc.array(name, { minLength: 1, maxLength: 4 });

describe("plain paths for any names and values", () => {
  it("a path of a mapping finds any value that exists", async () => {
    await fc.assert(
      fc.asyncProperty(path, json, async (keys, leaf) => {
        expect(await read(keys, nested(keys, leaf))).toEqual({ value: { x: leaf }, missing: [] });
      }),
    );
  });

  it("a path of a mapping to an absent member is missing, never null", async () => {
    await fc.assert(
      fc.asyncProperty(path, name, async (keys, last) => {
        expect(await read([...keys, last], nested(keys, {}))).toEqual({
          value: {},
          missing: ["x"],
        });
      }),
    );
  });

  it("a path of a mapping returns what the JMESPath library returns, if there is a value", async () => {
    const plain = fc.array(fc.constantFrom("a", "b", "c"), { minLength: 1, maxLength: 4 });
    const tree = fc.letrec((tie) => ({
      node: fc.oneof(
        { depthSize: "small" },
        fc.constantFrom<unknown>(null, 1, "s", [1]),
        fc.dictionary(fc.constantFrom("a", "b", "c"), tie("node"), { maxKeys: 3 }),
      ),
    })).node;
    await fc.assert(
      fc.asyncProperty(plain, tree, async (keys, value) => {
        const expected: unknown = TreeInterpreter.search(compile(keys.join(".")), value as never);
        const { value: found } = (await read(keys, value)) as { value: { x?: unknown } };
        expect(found.x ?? null).toEqual(expected);
      }),
    );
  });
});
