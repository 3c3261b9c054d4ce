import { describe, expect, it, onTestFinished } from "vitest";
import { git, temporaryTree, writeTree } from "../build/testing/temporary-tree.ts";
import { TREES } from "../fixtures/trees.ts";
import { chainOf, tinyView } from "../fixtures/tiny-view.ts";
import { GraphWorkspace } from "../operations/index.ts";
import { graphPicture } from "./index.ts";
import type { GraphPicture } from "./index.ts";

async function readPicture(root: string): Promise<GraphPicture> {
  const workspace = new GraphWorkspace({ root });
  onTestFinished(() => workspace.close());
  return graphPicture(await workspace.view("none"));
}

function importsIn({ files, imports }: GraphPicture): string[] {
  return Array.from(
    { length: imports.length / 2 },
    (_, at) => `${files[imports[at * 2]!]!} -> ${files[imports[at * 2 + 1]!]!}`,
  );
}

describe.each(Object.entries(TREES))("picture of %s", (_name, tree) => {
  it("the picture of a code base refers only to files and layers that the picture contains", async () => {
    const picture = await readPicture(temporaryTree(tree));
    const { files, imports, layers, layer_of, hotspots, cycles, violations, changed } = picture;
    expect(files).toEqual(files.toSorted());
    expect(layer_of).toHaveLength(files.length);
    expect(imports.length % 2).toBe(0);
    const used = [
      ...imports,
      ...hotspots.map(({ file }) => file),
      ...cycles.flat(),
      ...violations.map(({ from }) => from),
      ...changed,
    ];
    expect(used.filter((file) => files[file] === undefined)).toEqual([]);
    expect(layer_of.filter((layer) => layer !== -1 && layers[layer] === undefined)).toEqual([]);
  });
});

describe("marks in the picture", () => {
  it("the picture of a code base marks which files break which rule", async () => {
    const { files, violations } = await readPicture(temporaryTree(TREES["two packages"]!));
    expect(violations).toEqual([
      {
        from: files.indexOf("packages/app/src/main.ts"),
        to: files.indexOf("packages/core/src/index.ts"),
        rule: "core-first",
        message: expect.any(String) as string,
      },
    ]);
  });

  it("the picture of a code base marks the use of a forbidden package with the package's name", async () => {
    const root = temporaryTree({
      "src/a.ts": 'import "left-pad";\n',
      ".waybill/graph/layers.json": JSON.stringify({
        forbidden: [
          { name: "no-pads", from: { path: "src" }, to: { path: "node_modules/left-pad" } },
        ],
      }),
    });
    const { violations } = await readPicture(root);
    expect(violations).toMatchObject([{ from: 0, to: -1, rule: "no-pads" }]);
    expect(violations[0]!.message).toContain("left-pad");
  });

  it("the picture of a code base marks every file of an import cycle", async () => {
    const { files, cycles } = await readPicture(temporaryTree(TREES["an import cycle"]!));
    expect(cycles.map((cycle) => cycle.map((file) => files[file]))).toEqual([
      ["a.ts", "b.ts", "c.ts"],
    ]);
  });

  it("the picture of a code base marks hotspots with scores from 1 downward", async () => {
    const { files, hotspots } = await readPicture(temporaryTree(TREES["an Express application"]!));
    expect(hotspots[0]).toEqual({ file: expect.any(Number) as number, score: 1 });
    expect(files[hotspots[0]!.file]).toMatch(/^src\/store\//u);
    expect(hotspots.map(({ score }) => score)).toEqual(
      hotspots.map(({ score }) => score).toSorted((a, b) => b - a),
    );
  });

  it("the picture of a code base marks files that differ from the last commit, staged or not, and new files", async () => {
    const root = temporaryTree({ "a.ts": "export {};\n", "b.ts": "export {};\n", "c.ts": "" });
    git(root, "init", "-q");
    git(root, "add", ".");
    git(root, "commit", "-qm", "first");
    writeTree(root, { "a.ts": "export const a = 1;\n", "b.ts": "export const b = 1;\n" });
    git(root, "add", "b.ts");
    writeTree(root, { "d.ts": "export {};\n" });
    const { files, changed, notes } = await readPicture(root);
    expect(changed.map((file) => files[file])).toEqual(["a.ts", "b.ts", "d.ts"]);
    expect(notes).toEqual([]);
  });

  it("the picture of a code base adds a note when there is no commit to compare with", async () => {
    const { changed, notes } = await readPicture(temporaryTree({ "a.ts": "" }));
    expect(changed).toEqual([]);
    expect(notes).toEqual(["There is no commit to compare with"]);
  });
});

describe("layers of the picture", () => {
  it("the picture of a code base orders folders into layers, with the most imported folders first", async () => {
    const picture = await readPicture(
      temporaryTree({
        "src/app/main.ts": 'import "../core/a.ts";\nimport "../middle/m.ts";\n',
        "src/app/other.ts": 'import "../middle/m.ts";\n',
        "src/middle/m.ts": 'import "../core/a.ts";\nimport "../core/b.ts";\n',
        "src/core/a.ts": 'import "./b.ts";\n',
        // A single import in the opposite direction does not change the order of two layers.
        "src/core/b.ts": 'import "../middle/m.ts";\n',
        "test/all.test.ts": 'import "../src/app/main.ts";\n',
        "vite.config.ts": "export default {};\n",
      }),
    );
    expect(picture.layers).toEqual(["src/core", "src/middle", "src/app", "test"]);
    const layerOf = (path: string): number => picture.layer_of[picture.files.indexOf(path)]!;
    expect(layerOf("src/core/b.ts")).toBe(0);
    expect(layerOf("test/all.test.ts")).toBe(3);
    expect(layerOf("vite.config.ts")).toBe(-1);
  });

  it("the picture of a code base shows at most 12 layers and says how many folders share a colour", async () => {
    const tree = Object.fromEntries(
      Array.from({ length: 30 }, (_, at) => [`pack${at}/x.ts`, "export {};\n"]),
    );
    const { layers, notes } = await readPicture(temporaryTree(tree));
    expect(layers).toHaveLength(12);
    expect(notes).toContainEqual("18 smaller folders share a colour");
  });
});

describe("limits of the picture", () => {
  it("the picture of a code base keeps the most important files and says how many files and imports are left out", async () => {
    const view = tinyView(chainOf(2_000));
    const { files, imports, notes } = await graphPicture(view, { maxFiles: 100, maxImports: 50 });
    expect(files).toHaveLength(100);
    expect(imports).toHaveLength(100);
    expect(notes).toContainEqual("1900 less important files are not shown");
    expect(notes).toContainEqual(expect.stringContaining("more imports are not shown"));
  });

  it("the picture of a code base leaves out no file below the limits", async () => {
    const picture = await graphPicture(tinyView(chainOf(3)));
    expect(importsIn(picture)).toEqual(["f000000.ts -> f000001.ts", "f000001.ts -> f000002.ts"]);
  });

  it("the picture of a code base stops drawing when the caller cancels", async () => {
    const given = AbortSignal.abort(new Error("gone"));
    const view = tinyView(
      { "a.ts": {} },
      {},
      { changedSince: (_since, signal) => Promise.reject(signal?.reason as Error) },
    );
    await expect(graphPicture(view, {}, given)).rejects.toThrow("gone");
  });
});
