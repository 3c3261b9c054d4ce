import { describe, expect, it } from "vitest";
import { chainName, chainOf, layersOf, shown, tinyView } from "../../fixtures/tiny-view.ts";
import { path } from "./path.ts";

interface PathResult {
  readonly connected: boolean;
  readonly shortestPath: number | null;
  readonly pathCount: number;
  readonly paths: {
    readonly nodes: string[];
    readonly length: number;
    readonly edges?: object[];
  }[];
}

const view = tinyView({
  "a.ts": { imports: ["b.ts", { to: "c.ts", line: 7, typeOnly: true }] },
  "b.ts": { imports: ["d.ts"] },
  "c.ts": { imports: ["d.ts", "a.ts"] },
  "d.ts": {},
});

describe("path between two files", () => {
  it("graph_path finds all shortest paths between two files", async () => {
    const result = await shown<PathResult>(path(view, { from: "a.ts", to: "d.ts" }));
    expect(result).toMatchObject({ connected: true, shortestPath: 2, pathCount: 2 });
    expect(result.paths.map(({ nodes }) => nodes)).toEqual([
      ["a.ts", "b.ts", "d.ts"],
      ["a.ts", "c.ts", "d.ts"],
    ]);
  });

  it("graph_path shows kind, line and type-only for each edge of a path", async () => {
    const input = { from: "a.ts", to: "c.ts", includeEdgeDetails: true };
    const { paths } = await shown<PathResult>(path(view, input));
    expect(paths[0]!.edges).toEqual([{ kind: "import", line: 7, typeOnly: true, how: "relative" }]);
  });

  it("graph_path returns a path of length 0 from a file to itself", async () => {
    const result = await shown<PathResult>(path(view, { from: "a.ts", to: "a.ts" }));
    expect(result).toMatchObject({ connected: true, shortestPath: 0 });
  });

  it("graph_path suggests the reverse path when there is no path", async () => {
    const answer = path(view, { from: "d.ts", to: "b.ts" });
    expect(await shown(answer)).toMatchObject({ connected: false, shortestPath: null, paths: [] });
    expect(answer.next).toEqual([
      expect.objectContaining({ args: { from: "b.ts", to: "d.ts", maxDepth: 10 } }),
    ]);
  });

  it("graph_path says how many hops a path beyond maxDepth has", async () => {
    const long = tinyView(chainOf(20_000));
    const ends = { from: chainName(0), to: chainName(19_999) };
    const near = path(long, ends);
    expect(await shown(near)).toMatchObject({ connected: false });
    expect(near.next?.[0]?.reason).toBe("connected in 19999 hops");
  });

  it("graph_path returns at most maxPaths paths in a dense graph without counting all paths", async () => {
    const dense = tinyView(layersOf(50, 20));
    const input = { from: "l000-0.ts", to: "l049-19.ts", maxDepth: 60, maxPaths: 10 };
    const result = await shown<PathResult>(path(dense, input));
    expect(result).toMatchObject({ connected: true, shortestPath: 49, pathCount: 10 });
    expect(new Set(result.paths.map(({ nodes }) => nodes.join())).size).toBe(10);
  });

  it("graph_path returns the paths found so far when there are too many paths to find all", async () => {
    const dense = tinyView(layersOf(12, 6));
    const input = { from: "l000-0.ts", to: "l011-5.ts", maxDepth: 11, maxPaths: 1_000_000 };
    const result = await shown<PathResult>(path(dense, input));
    expect(result.pathCount).toBeGreaterThan(1_000);
    expect(result.pathCount).toBeLessThan(1_000_000);
  });
});
