import { describe, expect, it } from "vitest";
import { chainName, chainOf, shown, tinyView } from "../../fixtures/tiny-view.ts";
import type { Manifest } from "../../graph/index.ts";
import { impact } from "./impact.ts";
import type { GraphView } from "../answer/view.ts";

const files = {
  "core.ts": { exports: ["run", "stop"], symbols: ["run", "stop"] },
  "index.ts": {
    exports: [{ name: "run", from: "core.ts" }],
    imports: [{ to: "core.ts", kind: "reexport" as const, names: ["run"] }],
  },
  "app.ts": {
    imports: [{ to: "index.ts", names: ["run"] }],
    symbols: ["main"],
    entrypoints: [{ kind: "route" as const, text: "GET /run", detail: "express" }],
  },
  "other.ts": { imports: [{ to: "core.ts", names: ["stop"] }], symbols: ["halt"] },
  "app.test.ts": { kind: "test" as const, imports: ["app.ts"] },
};
const uses = [
  { from: "app.ts#main", to: "core.ts#run", line: 4 },
  { from: "other.ts#halt", to: "core.ts#stop", line: 3 },
];
const view = tinyView(files, { uses });

function createManifest(path: string, name: string): Manifest {
  return {
    path,
    name,
    dependencies: [],
    devDependencies: [],
    peerDependencies: [],
    optionalDependencies: [],
    bundledDependencies: [],
  };
}

const changedOther: GraphView["changedSince"] = () =>
  Promise.resolve([{ path: "other.ts", status: "modified", lines: [] }]);

const routeTo = (to: string, text: string) => ({
  imports: [to],
  entrypoints: [{ kind: "route" as const, text, detail: "express" }],
});

describe("impact", () => {
  it("graph_impact follows the importers of a file step by step to tests and entry points", async () => {
    expect(await shown(impact(view, { target: "core.ts" }))).toEqual({
      target: "core.ts",
      targetType: "file",
      directDependents: ["index.ts", "other.ts"],
      directDependentsTotal: 2,
      transitiveImpact: { depth1: 2, depth2: 1, depth3: 1 },
      affectedEntrypoints: [{ type: "route", name: "GET /run", path: "app.ts" }],
      affectedTests: ["app.test.ts"],
      riskAssessment: {
        level: "medium",
        reason: "several files or an entry point depend on it, or it is public",
        factors: ["4 affected files", "1 entrypoint"],
      },
      completeness: "exact",
    });
  });

  it("graph_impact finds the users of a symbol but not of other symbols in the file", async () => {
    const result = await shown(impact(view, { target: "core.ts#run" }));
    expect(result).toMatchObject({ targetType: "symbol", completeness: "exact" });
    expect(result["directDependents"]).toEqual(["app.ts", "index.ts"]);
  });

  it("graph_impact uses imports for a symbol while symbols are not read", async () => {
    const early = tinyView(files, { phase: "modules" });
    const result = await shown(impact(early, { target: "core.ts#stop" }));
    expect(result).toMatchObject({ directDependents: ["other.ts"], completeness: "lower-bound" });
    expect(result["why"]).toEqual(["symbols not read yet"]);
  });

  it("graph_impact follows the users of an export without a symbol through their importers", async () => {
    const exported = tinyView(
      {
        "core.ts": { exports: ["run"] },
        "app.ts": { imports: [{ to: "core.ts", names: ["run"] }] },
        "main.ts": { imports: ["app.ts"] },
      },
      { phase: "modules" },
    );
    expect(await shown(impact(exported, { target: "core.ts#run" }))).toMatchObject({
      directDependents: ["app.ts"],
      transitiveImpact: { depth1: 1, depth2: 1 },
      riskAssessment: {
        factors: ["2 affected files", "no test reaches it", "dependents may be missing"],
      },
    });
  });

  it("graph_impact counts a dependent of a diff at its shortest distance, before or after the change", async () => {
    const now = { "seed.ts": {}, "near.ts": { imports: ["seed.ts"] } };
    const before = tinyView({ ...now, "far.ts": { imports: ["seed.ts"] }, "gone.ts": {} }).graph;
    const changed = { path: "seed.ts", status: "modified", lines: [] } as const;
    const edited = {
      ...tinyView({ ...now, "far.ts": { imports: ["near.ts"] } }),
      changedSince: () =>
        Promise.resolve([changed, { ...changed, path: "gone.ts", status: "deleted" as const }]),
      graphAt: () => Promise.resolve(before),
    };
    expect(await shown(impact(edited, { changedSince: "main" }))).toMatchObject({
      directDependents: ["near.ts", "far.ts"],
      transitiveImpact: { depth1: 2, depth2: 0 },
    });
  });

  it("graph_impact adds up the impact of all files in a diff", async () => {
    const result = await shown(
      impact({ ...view, changedSince: changedOther }, { changedSince: "HEAD" }),
    );
    expect(result).toMatchObject({ targetType: "diff", target: "1 file changed since HEAD" });
  });

  it("graph_impact shows the paths from entrypoints to the target on request", async () => {
    const result = await shown(impact(view, { target: "core.ts", include: ["keyPaths"] }));
    expect(result["keyPaths"]).toEqual([["app.ts", "index.ts", "core.ts"]]);
  });

  it("graph_impact shows the paths of at most three entrypoints", async () => {
    const wide = tinyView({
      "core.ts": {},
      "a.ts": routeTo("core.ts", "GET /a"),
      "b.ts": routeTo("core.ts", "GET /b"),
      "c.ts": routeTo("core.ts", "GET /c"),
      "d.ts": routeTo("core.ts", "GET /d"),
    });
    const result = await shown(impact(wide, { target: "core.ts", include: ["keyPaths"] }));
    expect(result["keyPaths"]).toEqual([
      ["a.ts", "core.ts"],
      ["b.ts", "core.ts"],
      ["c.ts", "core.ts"],
    ]);
  });

  it("graph_impact calls the risk unknown when dependents may be missing", async () => {
    const unsure = tinyView({
      "a.ts": {},
      "b.ts": { gaps: [{ kind: "dynamic", text: "import(name)" }] },
    });
    const result = await shown(impact(unsure, { target: "a.ts" }));
    expect(result).toMatchObject({
      riskAssessment: { level: "unknown" },
      completeness: "lower-bound",
      why: ["1 computed import"],
    });
  });

  it("graph_impact reports dependents as complete (exact) when a computed import cannot reach the target", async () => {
    const sure = tinyView({
      "a.ts": {},
      "b.ts": { gaps: [{ kind: "dynamic", text: "import(`./plugins/${name}.js`)" }] },
      "plugins/c.ts": {},
    });
    expect(await shown(impact(sure, { target: "a.ts" }))).toMatchObject({ completeness: "exact" });
    expect(await shown(impact(sure, { target: "plugins/c.ts" }))).toMatchObject({
      completeness: "lower-bound",
    });
  });

  it("graph_impact gives files that could not be parsed as the reason for an incomplete answer", async () => {
    const partial = tinyView({
      "a.ts": {},
      "b.ts": { state: "failed" },
      "lib.swift": { kind: "asset", language: "other", state: "skipped" },
      "README.md": { kind: "asset", language: "other", state: "skipped" },
    });
    const result = await shown(impact(partial, { target: "a.ts" }));
    expect(result["why"]).toEqual(["1 file with syntax errors", "1 file not parsed"]);
  });

  it("graph_impact counts the files at the end of a chain of 20,000 imports", async () => {
    const long = tinyView(chainOf(20_000));
    const result = await shown(impact(long, { target: chainName(19_999), depth: 10 }));
    const { further, ...counts } = result["transitiveImpact"] as Record<string, number>;
    expect([Object.values(counts), further]).toEqual([Array(10).fill(1), 19_989]);
  });

  it("graph_impact returns all items of a list if only this one of its lists is requested", async () => {
    const long = tinyView(chainOf(400));
    const answer = await impact(long, {
      target: chainName(399),
      depth: 1_000,
      include: ["transitiveImpact"],
    });
    expect(answer.items).toHaveLength(399);
    expect(answer.items.at(-1)).toEqual({ path: chainName(0), depth: 399 });
    const tested = await impact(view, { target: "core.ts", include: ["affectedTests"] });
    expect(tested.items).toEqual(["app.test.ts"]);
  });

  it("graph_impact counts the files of a folder or package as one target", async () => {
    const tree = tinyView(
      {
        "lib/package.json": { kind: "asset", language: "other", state: "skipped" },
        "lib/a.ts": {},
        "lib/b.ts": { imports: ["lib/a.ts"] },
        "app.ts": { imports: ["lib/b.ts"] },
      },
      { manifests: [createManifest("lib/package.json", "@x/lib")] },
    );
    for (const [target, targetType] of [
      ["lib", "folder"],
      ["@x/lib", "package"],
    ] as const) {
      expect(await shown(impact(tree, { target }))).toMatchObject({
        targetType,
        directDependents: ["app.ts"],
      });
    }
  });

  it("graph_impact requires a target or a revision", async () => {
    await expect(impact(view, {})).rejects.toMatchObject({
      details: { issues: [{ path: "/target", missing: true }] },
    });
  });
});
