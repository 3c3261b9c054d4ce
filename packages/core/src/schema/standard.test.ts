import { type } from "arktype";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { isStandardSchema, toJsonSchema, loadChecker, parseStandard } from "./index.ts";

const checker = await loadChecker();
const zod = z.object({ id: z.string(), count: z.coerce.number().default(1) });
const arktype = type({ id: "string", count: "number = 1" });

/** A schema of a library that can validate but cannot produce JSON Schema. */
const mute = {
  "~standard": {
    version: 1 as const,
    vendor: "mute",
    validate: (value: unknown) => ({ value }),
  },
};

describe("recognition of schema libraries", () => {
  it("isStandardSchema is true for objects and functions that can validate", () => {
    expect([zod, arktype, mute].map(isStandardSchema)).toEqual([true, true, true]);
  });

  it("isStandardSchema is false for values that cannot validate", () => {
    const others = [null, undefined, true, "x", {}, { type: "object" }, { "~standard": {} }];
    expect(others.some(isStandardSchema)).toBe(false);
  });
});

describe("conversion to JSON Schema", () => {
  it.each([
    ["zod", zod],
    ["arktype", arktype],
  ])("toJsonSchema converts a schema of %s", (_, schema) => {
    const input = checker.compile(toJsonSchema(schema, "input"));
    expect(input.check({ id: "a" })).toBe(true);
    expect(input.check({ count: 1 })).toBe(false);
    const output = checker.compile(toJsonSchema(schema, "output"));
    expect(output.check({ id: "a", count: 2 })).toBe(true);
    expect(output.check({ id: "a" })).toBe(false);
  });

  it("toJsonSchema returns a JSON Schema unchanged", () => {
    const schema = { type: "object" };
    expect(toJsonSchema(schema, "input")).toBe(schema);
    expect(toJsonSchema(true, "output")).toBe(true);
  });

  it("the error of toJsonSchema for a library without JSON Schema export names the library and the fix", () => {
    expect(() => toJsonSchema(mute, "input")).toThrow(
      "the mute schema has no JSON Schema; wrap it with its JSON Schema converter",
    );
  });

  it.each([[null], [5], ["string"], [[{}]]])(
    "toJsonSchema refuses %j and says what a schema is",
    (value) => {
      expect(() => toJsonSchema(value, "input")).toThrow(TypeError);
      expect(() => toJsonSchema(value, "input")).toThrow("JSON Schema or a Standard Schema");
    },
  );
});

describe("validation by a schema library", () => {
  it("parseStandard returns the value as the schema library transforms it", async () => {
    expect(await parseStandard(zod, { id: "a", count: "7" })).toEqual({
      value: { id: "a", count: 7 },
    });
    expect(await parseStandard(arktype, { id: "a" })).toEqual({ value: { id: "a", count: 1 } });
  });

  it("parseStandard returns the issues of a schema library by pointer", async () => {
    const schema = z.object({ "a/b": z.array(z.object({ n: z.number() })) });
    const parsed = await parseStandard(schema, { "a/b": [{ n: 1 }, { n: "x" }] });
    expect(parsed.issues).toEqual([{ path: "/a~1b/1/n", message: expect.any(String) as string }]);
    const { issues } = await parseStandard(arktype, { id: 1 });
    expect(issues).toEqual([{ path: "/id", message: expect.stringContaining("string") as string }]);
  });

  it("parseStandard accepts path segments that are objects, and issues without a path", async () => {
    const issues = [{ message: "no" }, { message: "bad", path: [{ key: "a" }, 0] }];
    const schema = { "~standard": { ...mute["~standard"], validate: () => ({ issues }) } };
    expect(await parseStandard(schema, 1)).toEqual({
      issues: [
        { path: "", message: "no" },
        { path: "/a/0", message: "bad" },
      ],
    });
  });

  it("parseStandard waits for an asynchronous schema", async () => {
    const slow = z.string().transform(async (text) => `${text}!`);
    expect(await parseStandard(slow, "hi")).toEqual({ value: "hi!" });
  });
});
