import { describe, expect, it } from "vitest";
import { resolveRef } from "./index.ts";
import { atPointer, besideRef, pointerKey } from "./pointer.ts";

describe("JSON pointers", () => {
  const root = { "a/b": { "c~d": [10, { e: 1 }] }, "": 2, "x%20y": 3, "x y": 4, n: null };

  it.each<[string, unknown]>([
    ["", root],
    ["#", root],
    ["/a~1b/c~0d/0", 10],
    ["#/a~1b/c~0d/1/e", 1],
    ["/", 2],
    ["/x%20y", 3],
    ["#/x%20y", 4],
    ["#/a%7E1b/c%7E0d/0", 10],
    ["/n", null],
    ["/n/x", undefined],
    ["/a~1b/c~0d/-1", undefined],
    ["/a~1b/c~0d/length", undefined],
    ["/toString", undefined],
    ["/__proto__", undefined],
    ["no-slash", undefined],
    ["#/%", undefined],
  ])("atPointer returns for the pointer %j the value $1", (pointer, expected) => {
    expect(atPointer(root, pointer)).toBe(expected);
  });

  it("atPointer finds any key that pointerKey wrote", () => {
    for (const key of ["a", "a/b", "~", "~1", "~01", "%2F", "", "__proto__"]) {
      const value: unknown = JSON.parse(`{${JSON.stringify(key)}:1}`);
      expect(atPointer(value, pointerKey(key))).toBe(1);
    }
    expect(pointerKey(3)).toBe("/3");
  });
});

describe("references of a schema", () => {
  const text = { type: "string" };
  const root = {
    $id: "https://a.test/root",
    $defs: {
      text,
      again: { $ref: "#/$defs/text" },
      ring: { $ref: "#/$defs/gnir" },
      gnir: { $ref: "#/$defs/ring" },
      named: { $anchor: "here", items: { $id: "Deep", type: "null" } },
      always: true,
      data: { const: { $anchor: "only-data" }, default: { $id: "OnlyData" } },
    },
  };

  it.each<[string, unknown]>([
    ["#/$defs/text", text],
    ["#/$defs/again", text],
    ["#/$defs/always", true],
    ["#", root],
    ["#here", root.$defs.named],
    ["Deep", root.$defs.named.items],
    ["https://a.test/root", root],
    ["https://a.test/root#/$defs/text", text],
    ["https://a.test/root#here", root.$defs.named],
    ["#/$defs/ring", undefined],
    ["#/$defs/gone", undefined],
    ["#/$defs/text/type", undefined],
    ["#only-data", undefined],
    ["OnlyData", undefined],
    ["here", undefined],
    ["https://a.test/other", undefined],
  ])("resolveRef returns for the reference %s the schema $1", ($ref, expected) => {
    expect(resolveRef(root, { $ref })).toBe(expected);
  });

  it("resolveRef returns a schema without a reference unchanged", () => {
    expect(resolveRef(root, text)).toBe(text);
    expect(resolveRef(root, false)).toBe(false);
    expect(resolveRef(true, { $ref: "#name" })).toBeUndefined();
  });

  it("resolveRef does not loop on schema objects that contain themselves or occur twice", () => {
    const shared: Record<string, unknown> = { $anchor: "shared" };
    shared["self"] = shared;
    expect(resolveRef({ a: shared, b: shared }, { $ref: "#shared" })).toBe(shared);
  });
});

describe("keywords beside a reference", () => {
  it("besideRef returns the keywords beside a reference", () => {
    const properties = { a: {} };
    expect(besideRef({ $ref: "#", properties })).toEqual({ properties });
  });

  it("besideRef returns undefined without a reference, or if only annotations stand beside it", () => {
    expect(besideRef({ properties: {} })).toBeUndefined();
    expect(besideRef({ $ref: "#", description: "x", default: 1 })).toBeUndefined();
    expect(besideRef(true)).toBeUndefined();
  });
});
