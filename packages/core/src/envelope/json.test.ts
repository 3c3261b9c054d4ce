import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { isRecord, setOwn, toJson } from "./index.ts";

function nested(depth: number, leaf: unknown): unknown {
  let value = leaf;
  for (let level = 0; level < depth; level++) value = { inner: value };
  return value;
}

describe("values that are JSON already", () => {
  it.each<[string, unknown]>([
    ["an object", { a: [1, "two", { three: null }], b: true }],
    ["an object without a prototype", Object.assign(Object.create(null) as object, { a: 1 })],
    ["a string", "text"],
    ["null", null],
    ["a shared, not cyclic, object", ((shared) => ({ a: shared, b: [shared] }))({ c: 1 })],
    ["an own __proto__ key", JSON.parse('{"__proto__":{"a":1}}')],
    ["a value of the maximum depth", nested(512, 1)],
  ])("toJson does not copy %s", (_, value) => {
    const json = toJson(value);
    expect(json.value).toBe(value);
    expect(json.warnings).toEqual([]);
  });
});

describe("values that JSON lacks", () => {
  it("toJson turns undefined into null without a warning", () => {
    expect(toJson(undefined)).toEqual({ value: null, warnings: [] });
  });

  it.each<[string, unknown, unknown, string[]]>([
    ["undefined in an object", { a: 1, b: undefined }, { a: 1 }, []],
    ["undefined in a list", [1, undefined, 3], [1, null, 3], []],
    ["NaN", { a: NaN }, {}, ["left out NaN at /a: not JSON"]],
    ["Infinity in a list", [-Infinity], [null], ["left out -Infinity at /0: not JSON"]],
    ["a bigint", { id: 5n }, {}, ["left out bigint at /id: not JSON"]],
    ["a symbol", { s: Symbol("x") }, {}, ["left out symbol at /s: not JSON"]],
    [
      "functions in nested members",
      { a: [{ "x/y~z": () => 1, kept: 1 }] },
      { a: [{ kept: 1 }] },
      ["left out function at /a/0/x~1y~0z: not JSON"],
    ],
    ["a date", { at: new Date(0) }, { at: "1970-01-01T00:00:00.000Z" }, []],
    [
      "an instance of a class",
      new (class {
        a = 1;
        #b = 2;
        b = () => this.#b;
      })(),
      { a: 1 },
      ["left out function at /b: not JSON"],
    ],
  ])("toJson converts %s to $2", (_, value, expected, warnings) => {
    expect(toJson(value)).toEqual({ value: expected, warnings });
  });

  it.each<[string, unknown]>([
    ["Map", new Map([["a", 1]])],
    ["Set", new Set([1])],
    ["WeakMap", new WeakMap()],
    ["WeakRef", new WeakRef({})],
    ["Promise", Promise.resolve(1)],
    ["RegExp", /a/],
    ["Error", Object.assign(new RangeError("secret"), { code: "E1" })],
    ["URLSearchParams", new URLSearchParams("a=1")],
    ["Map", runInNewContext("new Map()")],
  ])("toJson leaves out a %s with a warning instead of writing {}", (kind, value) => {
    const json = toJson({ list: [value], kept: 1 });
    expect(json.value).toEqual({ list: [null], kept: 1 });
    expect(json.warnings).toEqual([`left out ${kind} at /list/0: not JSON`]);
    expect(() => toJson(value)).toThrow(`${kind} is not JSON`);
  });

  it.each<[string, object]>([
    ["Uint8Array", Uint8Array.of(1, 2)],
    ["Uint8Array", Buffer.from("text")],
    ["Float64Array", Float64Array.of(1)],
    ["DataView", new DataView(new ArrayBuffer(1))],
    ["ArrayBuffer", new ArrayBuffer(2)],
    ["SharedArrayBuffer", new SharedArrayBuffer(2)],
  ])("toJson leaves out a binary %s with a warning", (kind, value) => {
    const json = toJson({ bytes: value });
    expect(json.value).toEqual({});
    expect(json.warnings).toEqual([`left out ${kind} at /bytes: binary is not JSON`]);
    expect(() => toJson(value)).toThrow(`${kind} is not JSON`);
  });

  it("toJson writes boxed primitives such as new Number(1) as plain values", () => {
    const boxes = [Object(1), Object("a"), Object(true), Object(1n), Object(NaN)];
    const { value, warnings } = toJson(boxes);
    expect(value).toEqual([1, "a", true, null, null]);
    expect(warnings).toEqual(["left out bigint at /3: not JSON", "left out NaN at /4: not JSON"]);
    expect(toJson(Object("a")).value).toBe("a");
  });

  it("toJson uses toJSON methods and the members of class instances", () => {
    const map = Object.assign(new Map([["a", 1]]), { toJSON: () => ["a"] });
    class Money {
      cents = 5;
      readonly [Symbol.toStringTag] = "Money";
    }
    expect(toJson({ map, url: new URL("a://b"), cost: new Money() })).toEqual({
      value: { map: ["a"], url: "a://b", cost: { cents: 5 } },
      warnings: [],
    });
  });

  it("toJson fills the holes of a sparse list with null", () => {
    // oxlint-disable-next-line no-sparse-arrays -- the hole is what is tested
    const { value } = toJson([1, , 3]);
    expect(value).toStrictEqual([1, null, 3]);
  });

  it("toJson returns at most 8 warnings", () => {
    const { value, warnings } = toJson(Array.from({ length: 100 }, () => 1n));
    expect(value).toHaveLength(100);
    expect(warnings).toHaveLength(8);
  });

  it("toJson keeps an own __proto__ key in a copy and pollutes no prototype", () => {
    const value: unknown = JSON.parse('{"__proto__":{"admin":true}}');
    const copied = toJson({ value, left: undefined }).value as { value: object };
    expect(Object.keys(copied.value)).toEqual(["__proto__"]);
    expect(JSON.stringify(copied)).toBe('{"value":{"__proto__":{"admin":true}}}');
    expect(Reflect.get(copied.value, "admin")).toBeUndefined();
  });

  it("toJson does not modify its input", () => {
    const value = Object.freeze({ a: Object.freeze([undefined, 1n]) });
    expect(toJson(value).value).toEqual({ a: [null, null] });
  });

  it("toJson repeats a shared object at each position of a copy", () => {
    const shared = { c: 1 };
    expect(toJson([shared, shared, undefined]).value).toEqual([{ c: 1 }, { c: 1 }, null]);
  });
});

class Endless {
  toJSON(): Endless {
    return new Endless();
  }
}

const SECRET = new Error("password");

function refuse(): never {
  throw SECRET;
}

function thrownBy(action: () => unknown): unknown {
  try {
    return action();
  } catch (thrown) {
    return thrown;
  }
}

function loop(): unknown {
  const value: { list: unknown[] } = { list: [] };
  value.list.push({ "back/home": value });
  return value;
}

function bomb(levels: number): unknown {
  let value: unknown = ["x"];
  for (let level = 0; level < levels; level++) value = [value, value];
  return value;
}

describe("values that cannot become JSON", () => {
  it.each<[string, unknown, string]>([
    ["a value that contains itself", loop(), "itself at /list/0/back~1home"],
    ["a function", () => 1, "a function is not JSON"],
    ["a symbol", Symbol("x"), "a symbol is not JSON"],
    ["NaN", NaN, "a NaN is not JSON"],
    [
      "an object whose toJSON returns undefined",
      { toJSON: () => undefined },
      "an object is not JSON",
    ],
    ["a value of 100,000 levels", nested(100_000, 1), "deeper than 512 levels"],
    ["an object whose toJSON returns another such object", new Endless(), "deeper than 512 levels"],
    ["a small object that unfolds into millions of values", bomb(60), "more than 20000000 values"],
  ])("toJson throws a TypeError for %s", (_, value, message) => {
    expect(() => toJson(value)).toThrow(TypeError);
    expect(() => toJson(value)).toThrow(message);
  });

  it.each<[string, object, string]>([
    ["toJSON", { a: [{ toJSON: refuse }] }, "/a/0"],
    ["toJSON of the root", { toJSON: refuse }, "the root"],
    [
      "a getter",
      Object.defineProperty({ a: 1n }, "b/c", { get: refuse, enumerable: true }),
      "/b~1c",
    ],
    ["a proxy trap", { deep: new Proxy({}, { ownKeys: refuse }) }, "/deep"],
    ["a proxy trap of a list", { deep: new Proxy([1], { get: refuse }) }, "/deep"],
  ])(
    "toJson throws a TypeError with the pointer, not the message, of an error in %s",
    (_, value, place) => {
      const error = thrownBy(() => toJson(value));
      expect(error).toBeInstanceOf(TypeError);
      expect(error).toMatchObject({
        message: `the value cannot be read at ${place}`,
        cause: SECRET,
      });
    },
  );

  it("toJson converts a value after it refused another value", () => {
    expect(() => toJson(bomb(60))).toThrow(TypeError);
    expect(toJson([1, undefined]).value).toEqual([1, null]);
  });
});

describe("helpers", () => {
  it("setOwn sets every key as an own member", () => {
    const target: Record<string, unknown> = {};
    for (const key of ["__proto__", "constructor", "a"]) setOwn(target, key, 1);
    expect(Object.keys(target)).toEqual(["__proto__", "constructor", "a"]);
    expect(Object.getPrototypeOf(target)).toBe(Object.prototype);
  });

  it("isRecord accepts objects that are not lists", () => {
    expect([{}, [], null, "x", () => 1].map(isRecord)).toEqual([true, false, false, false, false]);
  });
});
