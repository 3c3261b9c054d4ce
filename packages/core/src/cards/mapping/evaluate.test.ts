import { beforeAll, describe, expect, it } from "vitest";
import type { Mapping } from "../card.ts";
import { evaluate, loadExpressions, prepareMapping } from "./index.ts";
import type { Evaluated, MappingScope } from "./index.ts";

beforeAll(loadExpressions);

async function run(
  mapping: Mapping,
  value: unknown,
  rest: Partial<MappingScope> = {},
): Promise<Evaluated> {
  const prepared = await prepareMapping(mapping);
  // Passes the mapping through JSON, as in a generated module.
  return evaluate(JSON.parse(JSON.stringify(prepared)) as typeof prepared, {
    value,
    variables: {},
    ...rest,
  });
}

async function evaluatedValue(
  mapping: Mapping,
  value: unknown,
  rest?: Partial<MappingScope>,
): Promise<unknown> {
  return (await run(mapping, value, rest)).value;
}

describe("plain paths in a mapping", () => {
  it("a mapping omits absent members and lists them as missing, and keeps null", async () => {
    const mapping = { title: "title", body: "body", milestone: "milestone" };
    expect(await run(mapping, { title: "T", body: null })).toEqual({
      value: { title: "T", body: null },
      missing: ["milestone"],
    });
  });

  it("a path of a mapping below null is null, and a path below any other non-object is missing", async () => {
    expect(await run({ login: "author.login" }, { author: null })).toEqual({
      value: { login: null },
      missing: [],
    });
    expect(await run({ login: "author.login" }, { author: "mona" })).toEqual({
      value: {},
      missing: ["login"],
    });
  });

  it("a path of a mapping can use quoted names and list positions", async () => {
    const value = { "a-b": { list: [1, 2, 3] } };
    expect(await evaluatedValue('"a-b".list[0]', value)).toBe(1);
    expect(await evaluatedValue('"a-b".list[-1]', value)).toBe(3);
    expect((await run({ x: '"a-b".list[9]' }, value)).missing).toEqual(["x"]);
  });

  it("the path @ of a mapping is the whole current value", async () => {
    expect(await evaluatedValue({ diff: "@" }, "text")).toEqual({ diff: "text" });
  });

  it("a mapping whose root is absent lists the empty path as missing", async () => {
    expect(await run("a", {})).toEqual({ value: undefined, missing: [""] });
  });

  it("a mapping reads variables such as $params at any depth", async () => {
    const mapping = { each: "list", fields: { of: "$params.owner", name: "@" } };
    const variables = { params: { owner: "octo" } };
    expect(await evaluatedValue(mapping, { list: ["a"] }, { variables })).toEqual([
      { of: "octo", name: "a" },
    ]);
  });
});

describe("inherited names in a mapping", () => {
  it.each(["constructor", "toString", "__proto__", "hasOwnProperty", "a.constructor.name"])(
    "a path of a mapping does not find the inherited name %s",
    async (path) => {
      expect((await run({ x: path }, { a: {} })).missing).toEqual(["x"]);
    },
  );

  it("a mapping writes __proto__ as an ordinary member", async () => {
    const mapping = JSON.parse('{"__proto__": "a", "b": "a"}') as Mapping;
    const { value } = await run(mapping, { a: { polluted: true } });
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Object.keys(value as object)).toEqual(["__proto__", "b"]);
    expect(Object.hasOwn({}, "polluted")).toBe(false);
  });

  it("prepareMapping refuses an expression with an inherited name such as constructor", async () => {
    await expect(prepareMapping("a[0].constructor || b")).rejects.toThrow(/constructor/);
    await expect(prepareMapping("{toString: a}")).rejects.toThrow(/toString/);
  });

  it("the mapping keyword map ignores inherited members of its table", async () => {
    await expect(run({ map: { a: 1 }, of: "x" }, { x: "constructor" })).rejects.toThrow(
      '"constructor" is not one of a',
    );
  });
});

describe("constants", () => {
  it("literals in a mapping, such as 1, true and 'text', evaluate to themselves", async () => {
    const mapping = {
      a: 1,
      b: true,
      c: null,
      d: "'text'",
      e: "`[1, 2]`",
      f: "`null`",
      g: [1, "x"],
    };
    expect(await evaluatedValue(mapping, { x: "y" })).toEqual({
      a: 1,
      b: true,
      c: null,
      d: "text",
      e: [1, 2],
      f: null,
      g: [1, "y"],
    });
  });

  it("a list in a mapping omits absent items, and the list is reported as missing", async () => {
    expect(await run({ l: ["a", "b"] }, { a: 1 })).toEqual({ value: { l: [1] }, missing: ["l"] });
  });
});

describe("expressions in a mapping", () => {
  it("filters and conditions in a mapping are evaluated with the JMESPath library", async () => {
    expect(await evaluatedValue("items[?n > `1`].n", { items: [{ n: 1 }, { n: 2 }] })).toEqual([2]);
    expect(await evaluatedValue("state == 'OPEN' ? 'a' : 'b'", { state: "OPEN" })).toBe("a");
  });

  it("the value of a mapping expression is missing if its input is missing", async () => {
    expect(await run({ s: "upper(state)" }, {})).toEqual({ value: {}, missing: ["s"] });
    expect(await run({ s: "labels[].name" }, {})).toEqual({ value: {}, missing: ["s"] });
    expect(await run({ s: "state && upper(state)" }, {})).toEqual({ value: {}, missing: ["s"] });
  });

  it("a mapping expression with a fallback has a value if its input is missing", async () => {
    expect(await evaluatedValue({ first: "first || `30`" }, {})).toEqual({ first: 30 });
    expect(await evaluatedValue({ x: "a || b" }, { b: null })).toEqual({ x: null });
  });

  it("filters and expression references in a mapping can use variables", async () => {
    const value = { list: [{ s: "a" }, { s: "b" }] };
    const variables = { params: { s: "b" } };
    expect(await evaluatedValue("list[?s == $params.s].s", value, { variables })).toEqual(["b"]);
    expect(
      await evaluatedValue("map(&join('-', [s, $params.s]), list)", value, { variables }),
    ).toEqual(["a-b", "b-b"]);
  });

  it("the operator ! in a mapping negates the whole path after it", async () => {
    expect(await evaluatedValue("!a.b", { a: { b: false } })).toBe(true);
    expect(await evaluatedValue("x && !a.b.c", { x: 1, a: { b: { c: 1 } } })).toBe(false);
    expect(await evaluatedValue("!a | @", { a: 1 })).toBe(false);
  });

  it("the error for a mapping expression that cannot be evaluated contains the expression", async () => {
    await expect(run({ x: "upper(n)" }, { n: 1 })).rejects.toThrow(
      '"upper(n)" cannot be evaluated',
    );
  });
});
