import { describe, expect, it } from "vitest";
import { tinyView } from "../../fixtures/tiny-view.ts";
import { confinedPath } from "./confined-path.ts";
import { findTarget } from "./target.ts";
import { scopeMask } from "./scope.ts";

const view = tinyView({
  "src/engine.ts": { exports: ["Engine", "start"], symbols: ["Engine", "start"] },
  "src/other/engine.ts": { exports: ["start"], symbols: ["start"] },
  "src/router/index.ts": { exports: [{ name: "Engine", from: "src/engine.ts" }] },
  "src/view.tsx": {
    symbols: [
      { name: "View", kind: "class" },
      { name: "View.render", kind: "method", parent: "View" },
    ],
  },
});

function resolvedName(given: string): string {
  const target = findTarget(view, given);
  const path = view.graph.files.path(target.file);
  return target.type === "symbol" ? `${path}#${target.name}` : path;
}

function failure(given: string): unknown {
  try {
    return resolvedName(given);
  } catch (error) {
    return error;
  }
}

describe("a target", () => {
  it.each([
    ["src/engine.ts", "src/engine.ts"],
    ["./src/engine.ts", "src/engine.ts"],
    ["/tree/src/engine.ts", "src/engine.ts"],
    ["src/engine", "src/engine.ts"],
    ["other/engine.ts", "src/other/engine.ts"],
    ["src/router", "src/router/index.ts"],
    ["Engine", "src/engine.ts#Engine"],
    ["src/router/index.ts#Engine", "src/engine.ts#Engine"],
    ["src/other/engine.ts#start", "src/other/engine.ts#start"],
    ["View.render", "src/view.tsx#View.render"],
    ["render", "src/view.tsx#View.render"],
  ])("%s is %s", (given, expected) => {
    expect(resolvedName(given)).toBe(expected);
  });

  it("suggests near names for an unknown target", () => {
    expect(failure("src/enigne.ts")).toMatchObject({
      details: {
        code: "NOT_FOUND",
        did_you_mean: expect.arrayContaining(["src/engine.ts"]) as unknown,
      },
    });
    expect(failure("Engnie")).toMatchObject({
      details: { code: "NOT_FOUND", did_you_mean: expect.arrayContaining(["Engine"]) as unknown },
    });
  });

  it("lists the candidates of an ambiguous target", () => {
    expect(failure("start")).toMatchObject({
      details: {
        ambiguous: true,
        candidates: ["src/engine.ts#start", "src/other/engine.ts#start"],
      },
    });
    expect(failure("engine.ts")).toMatchObject({ details: { ambiguous: true } });
  });

  it("reports a folder without an index", () => {
    expect(failure("src/other")).toMatchObject({
      message: expect.stringContaining("is a folder") as unknown,
    });
  });
});

describe("a path", () => {
  it.each(["../x.ts", "/etc/passwd", "a/../../b", "/tree-other/x", "C:\\x", "a\0b", ".."])(
    "refuses %j because it is outside the root",
    (given) => {
      expect(() => confinedPath("/tree", given)).toThrow("outside the root");
    },
  );

  it.each([
    ["/tree", ""],
    [".", ""],
    ["a/./b/../c", "a/c"],
    ["src/", "src"],
  ])("%s is %j", (given, expected) => {
    expect(confinedPath("/tree", given)).toBe(expected);
  });
});

const paths = (scope: string): string[] =>
  [...scopeMask(view, scope)!].flatMap((isIn, file) =>
    isIn === 1 ? [view.graph.files.path(file)] : [],
  );

describe("a scope", () => {
  it("a scope is a folder on segment boundaries, or a glob", () => {
    expect(paths("src/other")).toEqual(["src/other/engine.ts"]);
    expect(() => paths("src/oth")).toThrow('No file matches "src/oth"');
    expect(paths("**/engine.ts")).toEqual(["src/engine.ts", "src/other/engine.ts"]);
  });

  it("does not lead out of the root", () => {
    expect(() => scopeMask(view, "../..")).toThrow("outside the root");
  });
});
