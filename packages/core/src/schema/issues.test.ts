import { describe, expect, it } from "vitest";
import type { Issue, JsonSchema } from "../envelope/index.ts";
import { loadChecker } from "./index.ts";

const checker = await loadChecker();

function issues(schema: JsonSchema, value: unknown): Issue[] {
  return checker.compile(schema).issues(value);
}

const issue: JsonSchema = {
  type: "object",
  required: ["title", "state"],
  properties: {
    title: { type: "string", minLength: 1 },
    state: { $ref: "#/$defs/state" },
    labels: { type: "array", items: { type: "string" } },
    assignee: { $ref: "#/$defs/user" },
  },
  additionalProperties: false,
  $defs: {
    state: { enum: ["open", "closed"] },
    user: { type: "object", required: ["login"], properties: { login: { type: "string" } } },
  },
};

describe("issues by pointer", () => {
  it("the issue of a missing member lists the member's allowed values", () => {
    expect(issues(issue, {})).toEqual([
      { path: "/title", message: "is required", missing: true },
      { path: "/state", message: "is required", missing: true, allowed: ["open", "closed"] },
    ]);
  });

  it("the issue of a value of a wrong type names the found type", () => {
    const found = [null, [], {}, true].map(
      (title) => issues(issue, { title, state: "open" })[0]!.message,
    );
    expect(found).toEqual([
      "must be string, not null",
      "must be string, not array",
      "must be string, not object",
      "must be string, not boolean",
    ]);
  });

  it("the issue of a wrong value lists the allowed values and the nearest value", () => {
    const place = { path: "/state", message: "must be one of the allowed values" };
    const allowed = ["open", "closed"];
    expect(issues(issue, { title: "x", state: "Opne" })).toEqual([
      { ...place, allowed, did_you_mean: "open" },
    ]);
    expect(issues(issue, { title: "x", state: 5 })).toEqual([{ ...place, allowed }]);
    expect(issues({ const: 1 }, 2)).toEqual([{ ...place, path: "", allowed: [1] }]);
  });

  it("the issue of an unknown member names the nearest name, or all names", () => {
    const [near] = issues(issue, { title: "x", state: "open", lables: [] });
    const [far] = issues(issue, { title: "x", state: "open", zzz: 1 });
    expect(near).toEqual({
      path: "/lables",
      message: "is not a known name here",
      did_you_mean: "labels",
    });
    expect(far!.allowed).toEqual(["title", "state", "labels", "assignee"]);
    expect(issues({ type: "object", additionalProperties: false }, { a: 1 })).toEqual([
      { path: "/a", message: "is not a known name here" },
    ]);
  });

  it("issues have pointers through references and lists", () => {
    const value = { title: "x", state: "open", labels: ["a", 1], assignee: {} };
    expect(issues(issue, value).map(({ path }) => path)).toEqual(["/labels/1", "/assignee/login"]);
  });

  it("issue paths escape slashes and tildes, and keep percent signs", () => {
    const schema = { properties: { "a/b~c": { type: "number" }, "d%20e": { type: "number" } } };
    expect(issues(schema, { "a/b~c": "x", "d%20e": null })).toEqual([
      { path: "/a~1b~0c", message: "must be number, not string" },
      { path: "/d%20e", message: "must be number, not null" },
    ]);
    expect(issues({ required: ["a/b"] }, {})[0]!.path).toBe("/a~1b");
  });

  it("the issue of a violated minLength names the limit, and a property that may not be set is refused", () => {
    expect(issues({ type: "string", minLength: 3 }, "a")[0]).toMatchObject({ path: "" });
    expect(issues({ type: "string", minLength: 3 }, "a")[0]!.message).toContain("3");
    expect(issues({ properties: { a: false } }, { a: 1 })).toEqual([
      { path: "/a", message: "is not allowed here" },
    ]);
  });

  it("a value with more than 16 issues gets a count of them, and an issue lists at most 32 allowed values", () => {
    const schema = { type: "array", items: { type: "string" } };
    const found = issues(
      schema,
      Array.from({ length: 500 }, () => 1),
    );
    expect(found).toHaveLength(17);
    expect(found.at(-1)?.message).toMatch(/has \d+ more problems/);
    const allowed = Array.from({ length: 100 }, (_, index) => `v${index}`);
    expect(issues({ enum: allowed }, null)[0]!.allowed).toHaveLength(32);
  });

  it("a valid value whose issues are requested gets a general issue", () => {
    expect(issues({ type: "string" }, "x")).toEqual([
      { path: "", message: "does not match the schema" },
    ]);
  });
});

describe("unknown members", () => {
  it("a member with a wrong value is not reported as unknown", () => {
    const schema = { type: "object", additionalProperties: { type: "number" } };
    expect(issues(schema, { a: "x" })).toEqual([
      { path: "/a", message: "must be number, not string" },
    ]);
  });

  it("a member that allOf declares is not reported as unknown", () => {
    const part = { properties: { a: { type: "number" }, b: {} } };
    const schema = { type: "object", allOf: [part], unevaluatedProperties: false };
    expect(issues(schema, { a: "x", b: 1, zz: 1 })).toEqual([
      { path: "/a", message: "must be number, not string" },
      { path: "/zz", message: "is not a known name here", allowed: ["a", "b"] },
    ]);
  });

  it("a member that is declared beside a reference is not reported as unknown", () => {
    const schema = {
      $defs: { base: { properties: { id: {} } } },
      type: "object",
      $ref: "#/$defs/base",
      properties: { name: { type: "string" } },
      unevaluatedProperties: false,
    };
    expect(issues(schema, { id: 1, name: 2, nmae: "x" })).toEqual([
      { path: "/name", message: "must be string, not number" },
      { path: "/nmae", message: "is not a known name here", did_you_mean: "name" },
    ]);
  });
});
