import { beforeAll, describe, expect, it } from "vitest";
import type { Mapping } from "../card.ts";
import { MappingError, evaluate, loadExpressions, prepareMapping } from "./index.ts";
import type { Evaluated, MappingScope } from "./index.ts";

beforeAll(loadExpressions);

async function run(
  mapping: Mapping,
  value: unknown,
  rest: Partial<MappingScope> = {},
): Promise<Evaluated> {
  return evaluate(await prepareMapping(mapping), { value, variables: {}, ...rest });
}

async function failure(mapping: Mapping, value: unknown): Promise<MappingError> {
  const error: unknown = await run(mapping, value).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(MappingError);
  return error as MappingError;
}

describe("mapping word: from", () => {
  const mapping = { from: "createIssue.issue", fields: { id: "id", number: "number" } };

  it("the mapping keyword from reads a nested object or value", async () => {
    const value = { createIssue: { issue: { id: "I_1", number: 7 } } };
    expect((await run(mapping, value)).value).toEqual({ id: "I_1", number: 7 });
    expect((await run({ from: "createIssue", value: "issue.id" }, value)).value).toBe("I_1");
  });

  it("the mapping keyword from keeps null and lists missing members", async () => {
    expect(await run(mapping, { createIssue: null })).toEqual({ value: null, missing: [] });
    expect(await run({ issue: mapping }, {})).toEqual({ value: {}, missing: ["issue"] });
    expect((await run(mapping, { createIssue: { issue: { id: null } } })).missing).toEqual([
      "number",
    ]);
  });
});

describe("mapping word: each", () => {
  const mapping = { items: { each: "nodes", fields: { id: "id", title: "title" } } };

  it("the mapping keyword each maps every item of a list and skips null items", async () => {
    const value = { nodes: [{ id: 1, title: "a" }, null, { id: 2, title: null }] };
    expect(await run(mapping, value)).toEqual({
      value: {
        items: [
          { id: 1, title: "a" },
          { id: 2, title: null },
        ],
      },
      missing: [],
    });
  });

  it("the mapping keyword each lists a missing member once for all items", async () => {
    const { value, missing } = await run(mapping, { nodes: [{ id: 1 }, { id: 2 }] });
    expect(value).toEqual({ items: [{ id: 1 }, { id: 2 }] });
    expect(missing).toEqual(["items.*.title"]);
  });

  it("the mapping keyword each with value returns a list without missing values", async () => {
    const names = { each: "labels", value: "name" };
    expect(await run(names, { labels: [{ name: "a" }, {}] })).toEqual({
      value: ["a"],
      missing: ["*"],
    });
  });

  it("the mapping keyword each keeps null, lists a missing list, and refuses a value that is not a list", async () => {
    expect(await run(mapping, { nodes: null })).toEqual({ value: { items: null }, missing: [] });
    expect(await run(mapping, {})).toEqual({ value: {}, missing: ["items"] });
    expect(await failure(mapping, { nodes: { a: 1 } })).toMatchObject({ at: "items" });
  });
});

describe("mapping word: map", () => {
  const mapping = { state: { map: { open: "OPEN", closed: "CLOSED", all: ["A", "B"] }, of: "s" } };

  it("the mapping keyword map translates single values and lists of values", async () => {
    expect((await run(mapping, { s: "open" })).value).toEqual({ state: "OPEN" });
    expect((await run(mapping, { s: "all" })).value).toEqual({ state: ["A", "B"] });
    expect((await run(mapping, { s: ["open", "closed"] })).value).toEqual({
      state: ["OPEN", "CLOSED"],
    });
    const numbers = { map: { "1": "one", true: "yes" }, of: "n" };
    expect((await run(numbers, { n: 1 })).value).toBe("one");
    expect((await run(numbers, { n: true })).value).toBe("yes");
  });

  it("the mapping keyword map keeps null that its table does not list, and lists a missing value", async () => {
    expect(await run(mapping, { s: null })).toEqual({ value: { state: null }, missing: [] });
    expect(await run(mapping, {})).toEqual({ value: {}, missing: ["state"] });
    expect((await run({ map: { null: "NONE" }, of: "s" }, { s: null })).value).toBe("NONE");
  });

  it("the mapping keyword map returns its default for an unlisted value, and refuses that value if it has no default", async () => {
    const error = await failure(mapping, { s: "odd" });
    expect(error.message).toBe('"odd" is not one of open, closed, all');
    expect(error.issue()).toEqual({
      path: "/state",
      message: error.message,
      allowed: ["open", "closed", "all"],
    });
    const withDefault = { map: { a: 1 }, of: "s", default: null };
    expect((await run(withDefault, { s: "odd" })).value).toBeNull();
    expect((await run(withDefault, { s: { a: 1 } })).value).toBeNull();
  });
});

describe("mapping word: find", () => {
  const labels = [
    { name: "bug", id: "L1" },
    { name: "Help", id: "L2" },
  ];
  const mapping = {
    ids: { find: "labels", in: "lookup.labels", by: "name", value: "id" },
  };
  const given = (wanted: unknown): object => ({ labels: wanted, lookup: { labels } });

  it("the mapping keyword find turns a name, or each name of a list, into its value", async () => {
    expect((await run(mapping, given("bug"))).value).toEqual({ ids: "L1" });
    expect((await run(mapping, given(["help", "bug"]))).value).toEqual({ ids: ["L2", "L1"] });
    expect((await run(mapping, given([]))).value).toEqual({ ids: [] });
  });

  it("the mapping keyword find prefers the exact name, and refuses a name that matches two names in another letter case", async () => {
    const both = [
      { name: "Bug", id: "1" },
      { name: "bug", id: "2" },
    ];
    const value = { labels: "bug", lookup: { labels: both } };
    expect((await run(mapping, value)).value).toEqual({ ids: "2" });
    await failure(mapping, { ...value, labels: "BUG" });
  });

  it("the mapping keyword find reports an unknown name with the nearest and all allowed names", async () => {
    const error = await failure(mapping, given(["bug", "hlep"]));
    expect(error).toMatchObject({
      code: "VALIDATION",
      near: "Help",
      message: 'there is no "hlep"',
    });
    expect(error.allowed).toEqual(["bug", "Help"]);
  });

  it("the mapping keyword find keeps null, lists a missing value, and refuses to search anything but a list", async () => {
    expect((await run(mapping, given(null))).value).toEqual({ ids: null });
    expect((await run(mapping, { lookup: { labels } })).missing).toEqual(["ids"]);
    expect((await failure(mapping, { labels: "bug" })).message).toContain("has no list of names");
    expect((await failure(mapping, given([{}]))).message).toContain("must be a name");
  });

  it("the mapping keyword find accepts a number as the name to look up", async () => {
    const milestones = { find: "m", in: "list", by: "number", value: "id" };
    expect((await run(milestones, { m: 3, list: [null, { number: 3, id: "M" }] })).value).toBe("M");
  });
});

describe("mapping word: text", () => {
  it("the mapping keyword text inserts values into a template", async () => {
    const mapping = { text: "{owner}/{name}#{number}" };
    const value = { owner: "octo", name: "hello", number: 1 };
    expect((await run(mapping, value)).value).toBe("octo/hello#1");
    expect((await run(mapping, { ...value, number: null })).value).toBe("octo/hello#");
    expect((await run({ t: mapping }, { owner: "octo" })).missing).toEqual(["t"]);
    expect((await failure(mapping, { ...value, name: [] })).message).toContain(
      "must not be a list or an object",
    );
  });
});

describe("mapping word: call", () => {
  const functions = { twice: (value: unknown) => `${String(value)}${String(value)}` };

  it("the mapping keyword call runs a named function", async () => {
    expect((await run({ call: "twice", of: "a" }, { a: "x" }, { functions })).value).toBe("xx");
    expect((await run({ call: "twice" }, "y", { functions })).value).toBe("yy");
    expect((await run({ t: { call: "twice", of: "a" } }, {}, { functions })).missing).toEqual([
      "t",
    ]);
  });

  it("the mapping keyword call does not run inherited functions", async () => {
    await expect(run({ call: "toString" }, 1, { functions })).rejects.toThrow(
      "the function toString, which is missing",
    );
  });
});

describe("mapping word: fields", () => {
  it("the mapping keyword fields writes members whose names are keywords of a mapping, such as text and map", async () => {
    const mapping = { fields: { text: "text", map: "a", from: { fields: { each: "a" } } } };
    expect((await run(mapping, { text: "t", a: 1 })).value).toEqual({
      text: "t",
      map: 1,
      from: { each: 1 },
    });
  });
});
