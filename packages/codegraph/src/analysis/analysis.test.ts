import { describe, expect, it } from "vitest";
import { tinyGraph } from "../fixtures/tiny-graph.ts";
import type { TinyFile } from "../fixtures/tiny-graph.ts";
import {
  RUNTIME,
  allComponents,
  eagerComponents,
  linksIn,
  linksOut,
  neighbours,
  overallRank,
  rankFrom,
  getReaders,
  reachFrom,
  runtimeComponents,
  shortCircle,
  useReach,
  wayTo,
} from "./index.ts";

const name = (place: number): string => `f${String(place).padStart(6, "0")}.ts`;

function chain(length: number): Record<string, TinyFile> {
  return Object.fromEntries(
    Array.from({ length }, (_, place) => [
      name(place),
      { imports: place + 1 < length ? [name(place + 1)] : [] },
    ]),
  );
}

describe("links", () => {
  const graph = tinyGraph({
    "a.ts": {
      imports: [
        { to: "b.ts", typeOnly: true },
        "b.ts",
        "a.ts",
        { to: "c.ts", typeOnly: true },
        { to: "d.ts", kind: "dynamic" },
      ],
    },
    "b.ts": {},
    "c.ts": { imports: ["a.ts"] },
    "d.ts": { imports: ["a.ts"] },
  });

  it("the import graph merges all imports between two files into one link and drops self-imports", () => {
    expect(neighbours(linksOut(graph), 0)).toEqual([1, 2, 3]);
    expect(neighbours(linksOut(graph), 0, RUNTIME)).toEqual([1, 3]);
  });

  it("the import graph lists the files that import a file", () => {
    expect(neighbours(linksIn(graph), 0)).toEqual([2, 3]);
    expect(neighbours(linksIn(graph), 1)).toEqual([0]);
  });

  it("the cycle search finds different import cycles among all imports, runtime imports and eager imports", () => {
    expect(allComponents(graph).circles).toEqual([[0, 2, 3]]);
    expect(runtimeComponents(graph).circles).toEqual([[0, 3]]);
    expect(eagerComponents(graph).circles).toEqual([]);
  });

  it("the links of a graph are computed once", () => {
    expect(linksOut(graph)).toBe(linksOut(graph));
  });
});

describe("a chain of 20,000 files", () => {
  const graph = tinyGraph(chain(20_000));

  it("a traversal follows a chain of 20,000 imports to its end", () => {
    const reach = reachFrom(linksOut(graph), [0]);
    expect(reach.steps[19_999]).toBe(19_999);
    expect(wayTo(reach, 19_999)).toHaveLength(20_000);
    expect(reachFrom(linksOut(graph), [0], { maxSteps: 3 }).order).toHaveLength(4);
  });

  it("a graph traversal with the buffers of an earlier traversal reaches the files that one with new buffers reaches", () => {
    const links = linksOut(graph);
    const lastSteps = (seed: number): unknown =>
      useReach(links, [seed], ({ order, steps }) => [order.length, steps[order.at(-1)!]]);
    expect([0, 19_990, 0, 5].map(lastSteps)).toEqual([
      [20_000, 19_999],
      [10, 9],
      [20_000, 19_999],
      [19_995, 19_994],
    ]);
  });

  it("the cycle search finds a cycle of 20,000 files only when the last file imports the first", () => {
    expect(allComponents(graph).circles).toEqual([]);
    const files = chain(20_000);
    const joined = tinyGraph({ ...files, "f019999.ts": { imports: ["f000000.ts"] } });
    expect(allComponents(joined).circles[0]).toHaveLength(20_000);
    const [members = []] = allComponents(joined).circles;
    expect(shortCircle(linksOut(joined), members)).toHaveLength(20_000);
  });
});

describe("rank", () => {
  const graph = tinyGraph({
    "app.ts": { imports: ["core.ts", "ui.ts"] },
    "ui.ts": { imports: ["core.ts"] },
    "core.ts": {},
    "core.test.ts": { kind: "test", imports: ["helper.ts"] },
    "helper.ts": { kind: "test" },
  });
  const id = (path: string): number => graph.files.find(path)!;

  it("PageRank gives the highest rank to the most imported files, and all ranks sum to 1", () => {
    const rank = overallRank(graph);
    expect(rank[id("core.ts")]).toBeGreaterThan(rank[id("ui.ts")]!);
    expect(rank[id("helper.ts")]).toBe(0);
    expect(rank.reduce((a, b) => a + b)).toBeCloseTo(1);
  });

  it("PageRank gives no rank to files outside the chosen importers", () => {
    const within = new Uint8Array(graph.files.count);
    within[id("ui.ts")] = 1;
    const rank = rankFrom(graph, getReaders(graph, within));
    expect(rank[id("app.ts")]).toBe(0);
    expect(rank[id("ui.ts")]).toBeGreaterThan(0);
  });
});
