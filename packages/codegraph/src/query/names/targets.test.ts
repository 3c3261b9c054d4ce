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

describe("target", () => {
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
  ])("the code graph resolves the target %s to %s", (given, expected) => {
    expect(resolvedName(given)).toBe(expected);
  });

  it("the code graph suggests near names for an unknown target", () => {
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

  it("the code graph lists the candidates of an ambiguous target", () => {
    expect(failure("start")).toMatchObject({
      details: {
        ambiguous: true,
        candidates: ["src/engine.ts#start", "src/other/engine.ts#start"],
      },
    });
    expect(failure("engine.ts")).toMatchObject({ details: { ambiguous: true } });
  });

  it("the code graph rejects a folder without an index file as a target", () => {
    expect(failure("src/other")).toMatchObject({
      message: expect.stringContaining("is a folder") as unknown,
    });
  });
});

describe("path", () => {
  it.each(["../x.ts", "/etc/passwd", "a/../../b", "/tree-other/x", "C:\\x", "a\0b", ".."])(
    "the code graph refuses the path %j because it is outside the root",
    (given) => {
      expect(() => confinedPath("/tree", given)).toThrow("outside the root");
    },
  );

  it.each([
    ["/tree", ""],
    [".", ""],
    ["a/./b/../c", "a/c"],
    ["src/", "src"],
  ])("the code graph normalizes the path %s to %j", (given, expected) => {
    expect(confinedPath("/tree", given)).toBe(expected);
  });
});

const paths = (scope: string): string[] =>
  [...scopeMask(view, scope)!].flatMap((isIn, file) =>
    isIn === 1 ? [view.graph.files.path(file)] : [],
  );

describe("scope", () => {
  it("the code graph selects the files of a folder or a glob as a scope", () => {
    expect(paths("src/other")).toEqual(["src/other/engine.ts"]);
    expect(() => paths("src/oth")).toThrow('No file matches "src/oth"');
    expect(paths("**/engine.ts")).toEqual(["src/engine.ts", "src/other/engine.ts"]);
  });

  it("the code graph treats the root as a scope of every file", () => {
    expect(scopeMask(view, ".")).toBeUndefined();
    expect(scopeMask(view, "")).toBeUndefined();
  });

  it("the code graph rejects a scope outside the root", () => {
    expect(() => scopeMask(view, "../..")).toThrow("outside the root");
  });
});
