import { describe, expect, it } from "vitest";
import { chainName, chainOf, shown, tinyView } from "../../fixtures/tiny-view.ts";
import { cycles } from "./cycles.ts";

interface CyclesResult {
  readonly cycles: {
    readonly nodes: string[];
    readonly typeOnly: boolean;
    readonly severity: string;
    readonly breakPoints?: object[];
  }[];
  readonly stats: object;
}

const view = tinyView({
  "a.ts": { imports: [{ to: "b.ts", names: ["x", "y"] }] },
  "b.ts": { imports: [{ to: "c.ts", names: ["z"] }], exports: ["x", "y"] },
  "c.ts": { imports: [{ to: "a.ts", names: ["p", "q", "r", "s"] }], exports: ["z"] },
  "t.ts": { imports: [{ to: "u.ts", typeOnly: true }] },
  "u.ts": { imports: ["t.ts"] },
  "lazy/a.ts": { imports: [{ to: "lazy/b.ts", kind: "dynamic" }] },
  "lazy/b.ts": { imports: ["lazy/a.ts"] },
});

async function readNodes(input: Parameters<typeof cycles>[1]): Promise<string[]> {
  const result = await shown<CyclesResult>(cycles(view, input));
  return result.cycles.map(({ nodes }) => nodes[0]!);
}

async function firstBreakPoint(files: Parameters<typeof tinyView>[0]): Promise<unknown> {
  const result = await shown<CyclesResult>(cycles(tinyView(files), {}));
  return result.cycles[0]!.breakPoints?.[0];
}

const suggested = (files: Parameters<typeof tinyView>[0]): unknown =>
  cycles(tinyView(files), {}).next?.map(({ tool, args }) => [tool, args["kind"]]);

const typeImport = (to: string) => ({ to, typeOnly: true });

describe("cycles", () => {
  it("graph_cycles gives load-time, run-time and type-only cycles different severities", async () => {
    const result = await shown<CyclesResult>(cycles(view, {}));
    expect(
      result.cycles.map(({ nodes, severity, typeOnly }) => [nodes.length, severity, typeOnly]),
    ).toEqual([
      [3, "warning", false],
      [2, "info", false],
      [2, "info", true],
    ]);
    expect(result.stats).toEqual({ total: 3, typeOnly: 1, filesInvolved: 7 });
  });

  it("graph_cycles says for how many files a cycle is the shortest cycle", async () => {
    const pair = { "a.ts": { imports: ["b.ts"] }, "b.ts": { imports: ["a.ts"] } };
    expect(await shown(cycles(tinyView(pair), {}))).toMatchObject({
      cycles: [{ description: "at load time" }],
    });
    const three = { ...pair, "a.ts": { imports: ["b.ts", "c.ts"] }, "c.ts": { imports: ["a.ts"] } };
    expect(await shown(cycles(tinyView(three), {}))).toMatchObject({
      cycles: [
        {
          length: 2,
          description: "at load time; the shortest cycle of 3 files that import each other",
        },
      ],
    });
  });

  it("graph_cycles suggests the issues of the kind of the first cycle", () => {
    expect(suggested({ "a.ts": { imports: ["b.ts"] }, "b.ts": { imports: ["a.ts"] } })).toEqual([
      ["issues", "CIRCULAR_DEPENDENCY"],
    ]);
    const byType = { "a.ts": { imports: [typeImport("b.ts")] }, "b.ts": { imports: ["a.ts"] } };
    expect(suggested(byType)).toEqual([["issues", "CYCLE_RISK"]]);
    expect(suggested({ "a.ts": {} })).toBeUndefined();
  });

  it("graph_cycles suggests the import with the fewest names as the break point of a cycle", async () => {
    const result = await shown<CyclesResult>(cycles(view, { typeOnly: "exclude" }));
    expect(result.cycles[0]!.breakPoints?.[0]).toEqual({
      from: "b.ts",
      to: "c.ts",
      reason: "imports z",
    });
  });

  it("graph_cycles says that the whole cycle is gone without an import only if no other cycle is left", async () => {
    // Both cycles contain the import of b.ts by a.ts.
    const shared = {
      from: "a.ts",
      to: "b.ts",
      reason: "imports no names; without it, the whole cycle is gone",
    };
    expect(
      await firstBreakPoint({
        "a.ts": { imports: ["b.ts"] },
        "b.ts": { imports: ["a.ts", "c.ts"] },
        "c.ts": { imports: ["a.ts"] },
      }),
    ).toEqual(shared);
    const apart = { from: "a.ts", to: "b.ts", reason: "imports no names" };
    expect(
      await firstBreakPoint({
        "a.ts": { imports: ["b.ts"] },
        "b.ts": { imports: ["a.ts", "c.ts"] },
        "c.ts": { imports: ["b.ts"] },
      }),
    ).toEqual(apart);
    expect(
      await firstBreakPoint({
        "a.ts": { imports: [typeImport("b.ts")] },
        "b.ts": { imports: [typeImport("a.ts"), typeImport("c.ts")] },
        "c.ts": { imports: [typeImport("b.ts")] },
      }),
    ).toEqual(apart);
  });

  it("graph_cycles filters cycles by type, length, severity and scope", async () => {
    expect(await readNodes({ typeOnly: "only" })).toEqual(["t.ts"]);
    expect(await readNodes({ minLength: 3 })).toEqual(["a.ts"]);
    expect(await readNodes({ severityFilter: "warning" })).toEqual(["a.ts"]);
    expect(await readNodes({ scope: "lazy" })).toEqual(["lazy/a.ts"]);
  });

  it("graph_cycles finds a cycle of 20,000 files", async () => {
    const ring = tinyView({
      ...chainOf(20_000),
      [chainName(19_999)]: { imports: [chainName(0)] },
    });
    const { cycles: found } = await shown<CyclesResult>(
      cycles(ring, { includeBreakPoints: false }),
    );
    expect(found).toHaveLength(1);
    expect(found[0]!.severity).toBe("error");
  });
});
