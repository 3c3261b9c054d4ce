import { expect, it } from "vitest";
import { mergeScores, trialTargets } from "./publish.ts";
import type { PublishedScore } from "./publish.ts";
import type { Score } from "./score.ts";

const SCORE: Score = {
  reader: "ada",
  door: "command",
  round: "final",
  tasks: 30,
  solved: 29,
  atFirstTry: 28,
  turns: 30,
  calls: 30,
  startBytes: 1_000,
  readBytes: 500,
  sentBytes: 400,
  seconds: 9,
  tokens: 800,
  failures: { 4: "not done" },
  strays: ["ferry#1"],
};

function score(door: PublishedScore["door"], round: string, calls: number): PublishedScore {
  const [merged] = mergeScores([], [{ ...SCORE, door, round, calls }]);
  return merged!;
}

it("a newly published score of a trial replaces the score of the same reader and round, and keeps all others", () => {
  const kept = [score("gh", "first", 60), score("command", "final", 99)];
  const [first, second, ...others] = mergeScores(
    kept.map((each, index) => ({ ...each, reader: index === 0 ? "gh" : "ada" })),
    [SCORE],
  );
  expect([first?.calls, second?.calls, others]).toEqual([60, 30, []]);
  expect(second).toMatchObject({ bytesRead: 1_500, strays: 1 });
});

it("a published trial compares its final round with the targets, or its third round if there is no final round", () => {
  const third = [score("gh", "third", 60), score("command", "third", 30)];
  expect(trialTargets(third).map(({ value, met }) => [value, met])).toEqual([
    [0, true],
    [0.5, true],
    [1, true],
  ]);
  const final = [score("gh", "final", 60), score("mcp", "final", 60)];
  const rows = trialTargets([...third, ...final]);
  expect(rows[0]?.name).toMatch(/^final round, the MCP tool/u);
  expect(rows[1]).toMatchObject({ value: 1, met: false });
});
