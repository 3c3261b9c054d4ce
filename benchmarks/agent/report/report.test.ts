import { describe, expect, it } from "vitest";
import { play, sampleRun } from "../figures/fixtures/sample.ts";
import type { Outcome, Played } from "../types.ts";
import { agentReport, modelReport, reasonsFor, reportTargets } from "./index.ts";
import type { ReportInfo } from "./index.ts";

const FACTS: ReportInfo = { assumptions: ["Ten operations make a session."], why: () => ({}) };

function makeOutcome(played: Played[]): Outcome {
  return { played, absent: [] };
}

function text(played: Played[], facts: Partial<ReportInfo> = {}): string {
  return agentReport(makeOutcome(played), { ...FACTS, ...facts }).join("\n\n");
}

function findMet(played: Played[], id: string): boolean | undefined {
  return reportTargets(played, "mcp").find((target) => target.id === id)?.met;
}

function against(rival: Played["mode"], ours: number, theirs: number): Played[] {
  return [play({ total: ours }), play({ mode: rival, total: theirs })];
}

describe("targets", () => {
  it.each([
    ["gh-help", 300, true],
    ["gh-help", 301, false],
    ["graphql", 89, true],
    ["graphql", 91, false],
    ["github-mcp", 129, true],
    ["github-mcp", 131, false],
    ["github-mcp-deferred", 250, true],
    ["github-mcp-deferred", 251, false],
  ] as const)(
    "the benchmark judges the target against %s for %d of Waybill's tokens per 1,000 of the peer's tokens: met %s",
    (rival, ours, met) => {
      expect(findMet(against(rival, ours, 1_000), `tokens.mcp.${rival}`)).toBe(met);
    },
  );

  it("the benchmark report does not round a missed target up to a met target", () => {
    const row = reportTargets(against("gh-help", 3_001, 10_000), "mcp")[0];
    expect(row).toMatchObject({ value: 69.9, met: false });
  });

  it.each([
    [195, true],
    [196, false],
  ])(
    "the benchmark's target is 195 tokens per GitHub operation over MCP: %d tokens meet the target: %s",
    (total, met) => {
      expect(findMet([play({ total, anew: total })], "size.mcp")).toBe(met);
    },
  );

  it("the benchmark report has the ratio to the minimum tokens for GitHub scenarios only, as sum and median", () => {
    const plays = [
      play({ scenario: "a", total: 100, floor: 50 }),
      play({ scenario: "b", total: 300, floor: 50 }),
      play({ scenario: "c", total: 20, floor: 10 }),
      play({ scenario: "d", kind: "code", total: 9_000, floor: 1 }),
    ];
    const found = reportTargets(plays, "mcp").filter(({ id }) => id.startsWith("floor"));
    expect(found.map(({ value }) => value)).toEqual([3.9, 2]);
    expect(text(plays)).toContain("### Compared with the theoretical minimum");
  });

  it("the benchmark report shows tasks over many items in separate tables, and leaves these tasks out of the targets", () => {
    const plays = [
      play({ total: 100, floor: 50 }),
      play({ scenario: "b", kind: "bulk", total: 9_000, floor: 30 }),
    ];
    expect(findMet(plays, "size.mcp")).toBe(true);
    const [, bulk = ""] = text(plays).split("### Tasks over many items");
    expect(bulk).toMatch(/1 of 1 .*9,000 .*300\.0 · 300\.0/);
  });

  it("the benchmark report uses the skill that costs fewer tokens, and judges the number of calls by reads only", () => {
    const plays = [
      play({ total: 500, calls: 4 }),
      play({ mode: "mcp-indexed", total: 100, calls: 1 }),
      play({ mode: "mcp-indexed", scenario: "w", kind: "write", total: 100, calls: 9 }),
      play({ scenario: "w", kind: "write", total: 500, calls: 9 }),
    ];
    const calls = reportTargets(plays, "mcp").filter(({ id }) => id.startsWith("calls"));
    expect(calls.map(({ value, met }) => [value, met])).toEqual([
      [1, true],
      [1, true],
    ]);
    expect(text(plays)).toContain("### Targets: Waybill by MCP, with the indexed skill");
  });

  it("the benchmark report counts failures and doubled writes in every variant", () => {
    const plays = [
      play(),
      play({ variant: "fault", applied: 2, wanted: 1 }),
      play({ mode: "mcp-indexed", passed: false }),
    ];
    expect(findMet(plays, "pass.mcp")).toBe(false);
    expect(findMet(plays, "doubled.mcp")).toBe(false);
    expect(findMet([play()], "pass.mcp")).toBe(true);
    expect(findMet([play()], "doubled.mcp")).toBe(true);
  });
});

describe("report section", () => {
  it("the benchmark report lists missed targets with their reason if known", () => {
    const plays = [play({ total: 500 }), play({ mode: "gh-help", total: 1_000 })];
    expect(text(plays)).toContain(
      "`tokens.mcp.gh-help`, by MCP: fewer tokens than `gh` with help (1 in common): the reason is not known yet",
    );
    expect(text(plays, { why: () => ({ "tokens.mcp.gh-help": "its help is short" }) })).toContain(
      "(1 in common): its help is short",
    );
    expect(text([play()])).not.toContain("Missed targets");
  });

  it("the benchmark report shows the tokens of the largest text at the start of a session of code questions", () => {
    const small = play({ kind: "code", mode: "mcp-lean" });
    const large = play({ kind: "code", mode: "mcp-indexed" });
    const plays = [
      { ...small, tokens: { ...small.tokens, definitions: 298 } },
      { ...large, tokens: { ...large.tokens, definitions: 601 } },
    ];
    const name = "by MCP: tokens at the start of a session of code questions";
    expect(
      text(plays)
        .split("\n")
        .find((line) => line.includes(name)),
    ).toMatch(/601\s+\| ≤ 600\s+\| \*\*no/u);
    expect(text([play()])).not.toContain(name);
  });

  it("the benchmark report shows sum and median of both token counts, and marks peers without a target as not judged", () => {
    const plays = [
      play({ kind: "code", total: 50, anew: 80 }),
      play({ kind: "code", mode: "grep", total: 100 }),
      play({ kind: "code", scenario: "b", total: 20, anew: 20 }),
      play({ kind: "code", scenario: "b", mode: "grep", total: 10 }),
    ];
    expect(text(plays)).toMatch(
      /\| grep and cat +\| +2 \| +70 \| +110 \| +36\.3 % \| +-100\.0 % \| +-100\.0 % \| +9\.0 % \|/,
    );
    expect(text(plays)).toMatch(/\| grep and cat .* \| not judged \|/);
  });

  it("the benchmark report lists every scenario and mode, failures and impossible plays", () => {
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

  it("the benchmark report is equal for any order of plays", () => {
    const run = sampleRun(3).map((each, index) => ({ ...each, passed: index % 9 > 0 }));
    expect(text(run.toReversed())).toBe(text(run));
  });
});

describe("reasons for missed targets", () => {
  it("the benchmark report explains a missed target with the figures of the plays", () => {
    const plays = [
      play({ total: 500, anew: 600 }),
      play({ mode: "gh-help", total: 1_000 }),
      play({ scenario: "b", total: 90, steps: 2, calls: 1 }),
      play({ scenario: "b", mode: "gh-help", total: 2_000, steps: 2 }),
    ];
    const why = reasonsFor(plays);
    expect(why["tokens.mcp.gh-help"]).toBe(
      "one of their operations takes 1,500 tokens on average (1 for its share of the start text), so ours may take 450. It takes 295 tokens: 1 for its share of the start text, 9 that are sent (including lookups), and 285 for answers and its share of lookups. 1 of 2 scenarios reach the target by themselves. The largest is `issue-view` with 500 tokens; theirs takes 1,000.",
    );
    expect(why["size.mcp"]).toContain("an operation takes 295 tokens: 1 for its share");
    expect(why["size.mcp"]).toContain("The largest is `issue-view` with 500.");
    expect(why["tokens.command.gh-help"]).toBeUndefined();
    expect(reasonsFor([play({ calls: 3 })])["calls.mcp.p95"]).toBe(
      "these take more than 2 calls: `issue-view` (3).",
    );
  });
});

describe("report section of a model", () => {
  const usage = { requests: 2, input: 3_000, output: 40 };
  const facts = { model: "m-1", host: "models.example", format: "openai" };

  it("the benchmark report of a model has the tables of scripted plays, with the endpoint's own token count", () => {
    const plays = (["waybill", "gh"] as const).map((mode) => ({
      ...play({ total: 321 }),
      mode,
      usage,
    }));
    const section = modelReport(plays, facts).join("\n\n");
    expect(section).toContain("Model `m-1` at models.example, in the openai format.");
    expect(section).toMatch(/\| `gh` as a tool +\| +1 of 1 \| +2 \| +3,000 \| +40 \| +880 \|/);
    expect(section).toMatch(/\| issue-view +\| read +\| +321 \(1\) \| +321 \(1\) \|/);
    expect(section).not.toContain("Not everything");
  });

  it("the benchmark report of a model says why a run ended early", () => {
    expect(modelReport([], { ...facts, problem: "rate limit" }).join("\n")).toContain(
      "**Not everything was played: rate limit**",
    );
  });
});
