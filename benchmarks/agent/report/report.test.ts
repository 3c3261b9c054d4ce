import { describe, expect, it } from "vitest";
import { play, sampleRun } from "../figures/fixtures/sample.ts";
import type { Outcome, Played } from "../types.ts";
import { agentReport, modelReport, targetsOf } from "./index.ts";

const FACTS = { assumptions: ["Ten operations make a session."], why: {} };

function outcomeOf(played: Played[]): Outcome {
  return { played, absent: [] };
}

function text(played: Played[], facts: Partial<typeof FACTS> = {}): string {
  return agentReport(outcomeOf(played), { ...FACTS, ...facts }).join("\n\n");
}

function metOf(played: Played[], id: string): boolean | undefined {
  return targetsOf(played, "mcp").find((target) => target.id === id)?.met;
}

function against(rival: Played["mode"], ours: number, theirs: number, steps = 1): Played[] {
  return [play({ total: ours, steps }), play({ mode: rival, total: theirs, steps })];
}

describe("targets", () => {
  it.each([
    ["gh-help", 100, true],
    ["gh-help", 101, false],
    ["graphql", 100, true],
    ["graphql", 101, false],
    ["github-mcp", 200, true],
    ["github-mcp", 201, false],
  ] as const)("hold %s against %d tokens of ours for its 1000: %s", (rival, ours, met) => {
    expect(metOf(against(rival, ours, 1_000), `tokens.mcp.${rival}`)).toBe(met);
  });

  it("never round a miss up to what was promised", () => {
    const row = targetsOf(against("gh-help", 1_001, 10_000), "mcp")[0];
    expect(row).toMatchObject({ value: 89.9, met: false });
  });

  it.each([
    [99, 2, true],
    [100, 2, false],
    [500, 1, undefined],
  ])("ask for fewer than 100 of a known gh: %d in %d steps is %s", (ours, steps, met) => {
    expect(metOf(against("gh-known", ours, 100, steps), "steps.mcp.gh-known")).toBe(met);
  });

  it("take the better form of the skill, and reads only for calls", () => {
    const plays = [
      play({ total: 500, calls: 4 }),
      play({ mode: "mcp-indexed", total: 100, calls: 1 }),
      play({ mode: "mcp-indexed", scenario: "w", kind: "write", total: 100, calls: 9 }),
      play({ scenario: "w", kind: "write", total: 500, calls: 9 }),
    ];
    const calls = targetsOf(plays, "mcp").filter(({ id }) => id.startsWith("calls"));
    expect(calls.map(({ value, met }) => [value, met])).toEqual([
      [1, true],
      [1, true],
    ]);
    expect(text(plays)).toContain("### Targets: Waybill by MCP, with the indexed skill");
  });

  it("count failures and writes that were applied twice, in every variant", () => {
    const plays = [
      play(),
      play({ variant: "fault", applied: 2, wanted: 1 }),
      play({ mode: "mcp-indexed", passed: false }),
    ];
    expect(metOf(plays, "pass.mcp")).toBe(false);
    expect(metOf(plays, "doubled.mcp")).toBe(false);
    expect(metOf([play()], "pass.mcp")).toBe(true);
    expect(metOf([play()], "doubled.mcp")).toBe(true);
  });
});

describe("the section", () => {
  it("says what was not reached, and why as far as that is known", () => {
    const plays = [play({ total: 500 }), play({ mode: "gh-help", total: 1_000 })];
    expect(text(plays)).toContain(
      "`tokens.mcp.gh-help`, fewer tokens than `gh` with help (1 in common): why is not known yet",
    );
    const why = { "tokens.mcp.gh-help": "its help is short" };
    expect(text(plays, { why })).toContain("(1 in common): its help is short");
    expect(text([play()])).not.toContain("Not reached");
  });

  it("has every scenario and mode, what failed and what cannot be done", () => {
    const absent = [
      { scenario: "b", mode: "grep", variant: "plain", why: "no | code" },
      { scenario: "a", mode: "grep", variant: "plain", why: "no | code" },
      { scenario: "a", mode: "grep", variant: "fault", why: "no | code" },
    ] as const;
    const failed = play({ mode: "graphql", variant: "fault", passed: false, reason: "a | b\n<i>" });
    const played = [
      play({ scenario: "x|y" }),
      play({ mode: "gh-help", total: 1_234, calls: 3 }),
      failed,
    ];
    const section = agentReport({ played, absent: [...absent] }, FACTS).join("\n\n");
    expect(section).toMatch(/\| issue-view +\| read +\| +– \| +1,234 \(3\) \|/);
    expect(section).toContain(String.raw`x\|y`);
    expect(section).toContain(String.raw`- graphql, issue-view (fault): a \| b \<i\>`);
    expect(section).toContain(String.raw`- grep and cat: no \| code (a, b)`);
    expect(section).toContain("- Ten operations make a session.");
  });

  it("is the same in whatever order the plays come", () => {
    const run = sampleRun(3).map((each, index) => ({ ...each, passed: index % 9 > 0 }));
    expect(text(run.toReversed())).toBe(text(run));
  });
});

describe("the section of a model", () => {
  const usage = { requests: 2, input: 3_000, output: 40 };
  const facts = { model: "m-1", host: "models.example", format: "openai" };

  it("has the same tables, and the endpoint's own count", () => {
    const plays = (["waybill", "gh"] as const).map((mode) => ({
      ...play({ total: 321 }),
      mode,
      usage,
    }));
    const section = modelReport(plays, facts).join("\n\n");
    expect(section).toContain("Model `m-1` at models.example, in the openai format.");
    expect(section).toMatch(/\| `gh` as a tool +\| +1 \| +2 \| +3,000 \| +40 \|/);
    expect(section).toMatch(/\| issue-view +\| read +\| +321 \(1\) \| +321 \(1\) \|/);
    expect(section).not.toContain("Not everything");
  });

  it("says what ended it early", () => {
    expect(modelReport([], { ...facts, problem: "rate limit" }).join("\n")).toContain(
      "**Not everything was played: rate limit**",
    );
  });
});
