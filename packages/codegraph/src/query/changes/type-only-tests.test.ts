import { describe, expect, it } from "vitest";
import type { TinyFile } from "../../fixtures/tiny-graph.ts";
import { shown, tinyView } from "../../fixtures/tiny-view.ts";
import { tests } from "./tests.ts";

const TYPES = { to: "a.ts", typeOnly: true } as const;

function testOf(...imports: NonNullable<TinyFile["imports"]>): TinyFile {
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
  "direct.test.ts": testOf(TYPES),
  "loads.test.ts": testOf("a.ts"),
  "over.test.ts": testOf("user.ts"),
  "user.ts": { imports: [TYPES] },
};

describe("tests that only import types", () => {
  it("are counted, not listed, and impact is suggested to list them", async () => {
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

  it("are listed of a diff by impact since the same revision", async () => {
    const changedSince = () =>
      Promise.resolve([{ path: "a.ts", status: "modified" as const, lines: [] }]);
    const view = { ...tinyView(FILES), changedSince };
    const answer = await tests(view, { since: "main" });
    expect(await shown(answer)).toMatchObject({ tests: ["loads.test.ts"], typeOnlyTests: 2 });
    expect(answer.next).toMatchObject([{ args: { changedSince: "main" } }]);
  });

  it.each([["jest", "ts-jest"] as const, ["mocha", "ts-node"] as const])(
    "are listed for %s with %s, which checks types",
    async (runner, checker) => {
      const view = tinyView(FILES, packageWith(runner, checker));
      const answer = await shown(tests(view, { target: "a.ts" }));
      expect(answer).toMatchObject({ testsTotal: 3 });
      expect(answer).not.toHaveProperty("typeOnlyTests");
    },
  );

  it("are listed if a Vue component imports the types, because it checks its inputs by them", async () => {
    const view = tinyView({
      "a.ts": {},
      "box.vue": { language: "vue", imports: [TYPES] },
      "box.test.ts": testOf("box.vue"),
    });
    expect(await shown(tests(view, { target: "a.ts" }))).toMatchObject({ tests: ["box.test.ts"] });
  });

  it("are not listed for a deleted file, and those that loaded it are", async () => {
    const { "a.ts": gone, ...left } = FILES;
    expect(gone).toEqual({});
    const before = tinyView(FILES).graph;
    const now = Object.entries(left).map(([path, file]) => [path, { ...file, imports: [] }]);
    const view = {
      ...tinyView({
        ...(Object.fromEntries(now) as Record<string, TinyFile>),
        "over.test.ts": testOf("user.ts"),
      }),
      changedSince: () =>
        Promise.resolve([{ path: "a.ts", status: "deleted" as const, lines: [] }]),
      graphAt: () => Promise.resolve(before),
    };
    expect(await shown(tests(view, { since: "main" }))).toMatchObject({
      tests: ["loads.test.ts"],
      typeOnlyTests: 2,
    });
  });

  it("are listed for a symbol, whose uses bring its behaviour", async () => {
    const view = tinyView(
      {
        "a.ts": { symbols: ["Box"], exports: ["Box"] },
        "t.test.ts": { ...testOf({ ...TYPES, names: ["Box"] }), symbols: ["opens"] },
      },
      { uses: [{ from: "t.test.ts#opens", to: "a.ts#Box" }] },
    );
    expect(await shown(tests(view, { target: "a.ts#Box" }))).toMatchObject({
      tests: ["t.test.ts"],
    });
  });
});
