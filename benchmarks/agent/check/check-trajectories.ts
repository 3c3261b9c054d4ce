import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { z } from "zod";
import { TRAJECTORIES } from "../play/trajectories.ts";
import { modes } from "../types.ts";
import type { Mode, Scenario } from "../types.ts";

const file = z.object({
  mode: z.enum(modes),
  plays: z.array(
    z.object({
      scenario: z.string(),
      variant: z.string(),
      definitions: z.array(z.string()),
      turns: z.array(z.tuple([z.string(), z.string(), z.string()])).min(1),
    }),
  ),
  texts: z.record(
    z.string(),
    z.object({ what: z.string(), text: z.string().optional(), tokens: z.number() }),
  ),
});
type Recorded = z.infer<typeof file>;

function isPlayable(scenario: Scenario, mode: Mode): boolean {
  if (mode === "grep") return typeof scenario.grep !== "string";
  if (mode === "graphql") return typeof scenario.graphql !== "string";
  if (mode === "github-mcp") return typeof scenario.github_mcp !== "string";
  return !mode.startsWith("gh-") || typeof scenario.gh !== "string";
}

function countProblems({ texts }: Recorded): string[] {
  return Object.entries(texts)
    .filter(([, { text, tokens }]) => text !== undefined && countTokens(text) !== tokens)
    .map(([key]) => `${key} is counted wrongly`);
}

function referenceProblems({ texts, plays }: Recorded): string[] {
  const keys = plays.flatMap(({ definitions, turns }) => [
    ...definitions,
    ...turns.flatMap(([, send, read]) => [send, read]),
  ]);
  return [...new Set(keys)]
    .filter((key) => !(key in texts))
    .map((key) => `there is no text ${key}`);
}

function playProblems({ mode, plays }: Recorded, scenarios: readonly Scenario[]): string[] {
  const played = new Set(
    plays.filter(({ variant }) => variant === "plain").map(({ scenario }) => scenario),
  );
  const wanted = scenarios.filter((scenario) => isPlayable(scenario, mode)).map(({ id }) => id);
  return [
    ...wanted.filter((id) => !played.has(id)).map((id) => `${id} was not played`),
    ...[...played].filter((id) => !wanted.includes(id)).map((id) => `there is no scenario ${id}`),
  ];
}

function problemsOf(mode: Mode, scenarios: readonly Scenario[], folder: string): string[] {
  const path = join(folder, `${mode}.json`);
  if (!existsSync(path)) return ["it is not there"];
  const read = file.safeParse(JSON.parse(readFileSync(path, "utf8")));
  if (!read.success) return [z.prettifyError(read.error)];
  const { data } = read;
  return [...countProblems(data), ...referenceProblems(data), ...playProblems(data, scenarios)];
}

/** Whether the recorded trajectories are those of the scenarios, and counted as they are. */
export function trajectoryProblems(
  scenarios: readonly Scenario[],
  folder = TRAJECTORIES,
): string[] {
  return modes.flatMap((mode) =>
    problemsOf(mode, scenarios, folder).map((problem) => `trajectories/${mode}.json: ${problem}`),
  );
}
