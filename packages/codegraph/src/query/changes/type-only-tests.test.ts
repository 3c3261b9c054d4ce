import { describe, expect, it } from "vitest";
import type { TinyFile } from "../../fixtures/tiny-graph.ts";
import { shown, tinyView } from "../../fixtures/tiny-view.ts";
import { tests } from "./tests.ts";

const EDITED = { path: "a.ts", status: "modified", lines: [] } as const;
const TYPES = { to: "a.ts", typeOnly: true } as const;

function importingTest(...imports: NonNullable<TinyFile["imports"]>): TinyFile {
  return { kind: "test", imports, entrypoints: [{ kind: "test", text: "test", detail: "test" }] };
}

function packageWith(...devDependencies: string[]) {
  const none = {
    dependencies: [],
    peerDependencies: [],
    optionalDependencies: [],
    bundledDependencies: [],
  };
  return { manifests: [{ path: "package.json", devDependencies, ...none }] };
}

const FILES: Readonly<Record<string, TinyFile>> = {
  "a.ts": {},
  "direct.test.ts": importingTest(TYPES),
  "loads.test.ts": importingTest("a.ts"),
  "over.test.ts": importingTest("user.ts"),
  "user.ts": { imports: [TYPES] },
};

describe("tests that only import types", () => {
  it("graph_tests counts tests that only import types without listing them, and suggests impact to list them", async () => {
    const answer = await tests(tinyView(FILES, packageWith("vitest")), { target: "a.ts" });
    expect(await shown(answer)).toMatchObject({
      tests: ["loads.test.ts"],
      testsTotal: 1,
      typeOnlyTests: 2,
      run: [{ args: ["vitest", "run", "loads.test.ts"] }],
    });
    expect(answer.next).toMatchObject([
      { tool: "impact", args: { target: "a.ts", include: ["affectedTests"] } },
    ]);
  });

  it("graph_tests suggests graph_impact since the requested revision to list the type-only tests of a diff", async () => {
    const view = { ...tinyView(FILES), changedSince: () => Promise.resolve([EDITED]) };
    const answer = await tests(view, { since: "main" });
    expect(await shown(answer)).toMatchObject({ tests: ["loads.test.ts"], typeOnlyTests: 2 });
    expect(answer.next).toMatchObject([{ args: { changedSince: "main" } }]);
  });

  it.each([["jest", "ts-jest"] as const, ["mocha", "ts-node"] as const])(
    "graph_tests lists tests that only import types for %s with %s, because that compiler checks types",
    async (runner, checker) => {
      const view = tinyView(FILES, packageWith(runner, checker));
      const answer = await shown(tests(view, { target: "a.ts" }));
      expect(answer).toMatchObject({ testsTotal: 3 });
      expect(answer).not.toHaveProperty("typeOnlyTests");
    },
  );

  it("graph_tests lists the tests of a Vue component that imports types, because Vue uses them to check inputs", async () => {
    const view = tinyView({
      "a.ts": {},
      "box.vue": { language: "vue", imports: [TYPES] },
      "box.test.ts": importingTest("box.vue"),
    });
    expect(await shown(tests(view, { target: "a.ts" }))).toMatchObject({ tests: ["box.test.ts"] });
  });

  it("graph_tests lists the tests that loaded a deleted file, and only counts those that imported its types", async () => {
    const { "a.ts": gone, ...left } = FILES;
    expect(gone).toEqual({});
    const before = tinyView(FILES).graph;
    const now = Object.entries(left).map(([path, file]) => [path, { ...file, imports: [] }]);
    const view = {
      ...tinyView({
        ...(Object.fromEntries(now) as Record<string, TinyFile>),
        "over.test.ts": importingTest("user.ts"),
      }),
      changedSince: () => Promise.resolve([{ ...EDITED, status: "deleted" as const }]),
      graphAt: () => Promise.resolve(before),
    };
    expect(await shown(tests(view, { since: "main" }))).toMatchObject({
      tests: ["loads.test.ts"],
      typeOnlyTests: 2,
    });
  });

  it("graph_tests lists tests that use the symbol of a target, even if they only import types", async () => {
    const view = tinyView(
      {
        "a.ts": { symbols: ["Box"], exports: ["Box"] },
        "t.test.ts": { ...importingTest({ ...TYPES, names: ["Box"] }), symbols: ["opens"] },
      },
      { uses: [{ from: "t.test.ts#opens", to: "a.ts#Box" }] },
    );
    expect(await shown(tests(view, { target: "a.ts#Box" }))).toMatchObject({
      tests: ["t.test.ts"],
    });
  });
});
