import { readFileSync } from "node:fs";
import { join } from "node:path";
import { codeText } from "@waybill/code";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MULTI_STEP_TASKS } from "../../benchmarks/code/multi-step.ts";
import { root } from "../../scripts/run.mjs";
import { openCodeWorld } from "../support/code-world.ts";
import type { CodeWorld } from "../support/code-world.ts";

interface Trajectories {
  readonly plays: readonly { scenario: string; variant: string; turns: readonly string[][] }[];
  readonly texts: Readonly<Record<string, { tokens: number }>>;
}

const expert = JSON.parse(
  readFileSync(join(root, "benchmarks/agent/trajectories/gh-known.json"), "utf8"),
) as Trajectories;

/** Tokens that an expert sends and reads with gh, as recorded. */
function expertTokens(scenario: string): number {
  const play = expert.plays.find((each) => each.scenario === scenario && each.variant === "plain");
  const names = play?.turns.flatMap(([, sent = "", read = ""]) => [sent, read]) ?? [];
  return names.reduce((sum, name) => sum + (expert.texts[name]?.tokens ?? 0), 0);
}

const count = (text: string): number => encode(text).length;

let world: CodeWorld;
beforeAll(async () => {
  world = await openCodeWorld();
});
afterAll(() => world.close());

const fewer = { command: 0, mcp: 0 };

describe("programs of a few steps", () => {
  it.each(MULTI_STEP_TASKS)(
    "one program does the task of the benchmark scenario $scenario",
    async ({ scenario, program, answer, mutations }) => {
      const before = { ...world.github.applied() };
      const result = await world.runner.run(world.waybill, program);
      const text = codeText(result);
      expect(text).toContain(answer);
      expect(result.error).toBeNull();
      const after = world.github.applied();
      for (const [name, times] of Object.entries(mutations)) {
        expect((after[name] ?? 0) - (before[name] ?? 0)).toBe(times);
      }
      const call = JSON.stringify({ name: "code", arguments: { code: program } });
      const known = expertTokens(scenario);
      if (count(`waybill code '${program}'`) + count(text) < known) fewer.command += 1;
      if (count(call) + count(text) < known) fewer.mcp += 1;
    },
  );

  it("programs take fewer tokens than an expert's gh commands in 10 of 11 tasks by command and in 9 of 11 by MCP", () => {
    expect(fewer.command).toBeGreaterThanOrEqual(10);
    expect(fewer.mcp).toBeGreaterThanOrEqual(9);
  });
});
