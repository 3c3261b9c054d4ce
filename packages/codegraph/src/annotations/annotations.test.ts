import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { linksOut, neighbours } from "../analysis/index.ts";
import { temporaryTree } from "../build/testing/temporary-tree.ts";
import { tinyGraph } from "../fixtures/tiny-graph.ts";
import {
  ANNOTATIONS_FILE,
  NO_ANNOTATIONS,
  changeAnnotations,
  loadAnnotations,
  withAnnotations,
} from "./index.ts";
import type { Annotations } from "./index.ts";

function write(root: string, text: string): void {
  mkdirSync(dirname(join(root, ANNOTATIONS_FILE)), { recursive: true });
  writeFileSync(join(root, ANNOTATIONS_FILE), text);
}

const addIgnore = (id: string) => (all: Annotations) => ({
  changed: { ...all, ignores: [...all.ignores, { id, kind: "ORPHAN_EXPORT" }] },
  result: id,
});

describe("annotations file", () => {
  it("the code graph loads no annotations without an annotations file and creates the file on the first change", async () => {
    const root = temporaryTree({});
    expect(await loadAnnotations(root)).toEqual(NO_ANNOTATIONS);
    expect(await changeAnnotations(root, addIgnore("a"))).toBe("a");
    expect((await loadAnnotations(root)).ignores).toEqual([{ id: "a", kind: "ORPHAN_EXPORT" }]);
  });

  it("the annotations file keeps all of 20 annotations that are added at one time", async () => {
    const root = temporaryTree({});
    const ids = Array.from({ length: 20 }, (_, at) => `i${at}`);
    await Promise.all(ids.map((id) => changeAnnotations(root, addIgnore(id))));
    const { ignores } = await loadAnnotations(root);
    expect(ignores.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
  });

  it.each(['{"edges": [', '{"edges": 1}', '{"unknown": []}', "[]"])(
    "an annotations file with %s is an error and is kept unchanged",
    async (text) => {
      const root = temporaryTree({});
      write(root, text);
      await expect(loadAnnotations(root)).rejects.toThrow("cannot be used");
      await expect(changeAnnotations(root, addIgnore("a"))).rejects.toThrow("cannot be used");
      expect(readFileSync(join(root, ANNOTATIONS_FILE), "utf8")).toBe(text);
      rmSync(join(root, ANNOTATIONS_FILE));
      expect(await changeAnnotations(root, addIgnore("a"))).toBe("a");
    },
  );

  it("the code graph does not write annotations through a symbolic link out of the root", async () => {
    const root = temporaryTree({});
    const outside = mkdtempSync(join(tmpdir(), "waybill-outside-"));
    onTestFinished(() => rmSync(outside, { recursive: true }));
    symlinkSync(outside, join(root, ".waybill"));
    await expect(changeAnnotations(root, addIgnore("a"))).rejects.toThrow(
      "a folder outside the root",
    );
  });
});

describe("graph with annotations", () => {
  const graph = tinyGraph({
    "a.ts": { imports: [{ to: "b.ts", names: ["x"] }] },
    "b.ts": { exports: ["x"] },
    "c.ts": { imports: [{ to: "b.ts", names: ["x"] }] },
    "plugins/one.ts": {},
    "plugins/two.ts": {},
  });
  const annotations: Annotations = {
    edges: [{ id: "edge-1", from: "a.ts", to: "plugins/*.ts" }],
    entrypoints: [{ id: "entry-1", path: "c.ts", type: "job", name: "nightly" }],
    ignores: [],
  };
  const laid = withAnnotations(graph, annotations);

  it("annotated edges are added to the graph with the names that each import takes", () => {
    expect(neighbours(linksOut(laid), 0)).toEqual([1, 3, 4]);
    const takers = [...laid.bindings.ofExport(0)].map((row) =>
      laid.files.path(laid.imports.from(laid.bindings.edge(row))),
    );
    expect(takers).toEqual(["a.ts", "c.ts"]);
    const [, added] = [...laid.imports.outOf(0)];
    expect([laid.imports.kind(added!), laid.imports.how(added!)]).toEqual([
      "annotation",
      "annotation",
    ]);
  });

  it("annotated entrypoints are added to the graph", () => {
    const [row] = [...laid.entrypoints.inFile(2)];
    expect([laid.entrypoints.kind(row!), laid.entrypoints.text(row!)]).toEqual(["job", "nightly"]);
    expect(laid.entrypoints.detail(row!)).toBe("annotation");
  });

  it("annotations do not change the original graph object, which is returned when there are no annotations", () => {
    expect(neighbours(linksOut(graph), 0)).toEqual([1]);
    expect(withAnnotations(graph, NO_ANNOTATIONS)).toBe(graph);
  });
});
