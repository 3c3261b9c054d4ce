import { expect, it, onTestFinished } from "vitest";
import { TOKENS, startGithubEmulator } from "@waybill/github/emulator";
import { readScenarios } from "../scenario/read.ts";
import type { Scenario } from "../types.ts";
import { benchWorld, steadyClock } from "../world/bench-world.ts";
import { WriteLog, countWrites } from "./writes.ts";

function scenario(id: string): Scenario {
  const found = readScenarios().find((each) => each.id === id);
  if (found === undefined) throw new Error(`There is no scenario ${id}`);
  return found;
}

/** Lists the writes that the embedded GitHub applies for these requests. */
async function getLog(...requests: readonly (readonly [path: string, body: object])[]) {
  const log = new WriteLog();
  const github = await startGithubEmulator({
    world: benchWorld,
    clock: steadyClock(),
    onApplied: (mutation, store) => log.add(mutation, store),
  });
  onTestFinished(() => github.close());
  log.begin(github.store);
  const headers = { authorization: `token ${TOKENS.octocat}` };
  for (const [path, body] of requests) {
    const sent = { method: "POST", headers, body: JSON.stringify(body) };
    expect((await fetch(`${github.url}/repos/octo/hello/${path}`, sent)).ok).toBe(true);
  }
  return log.applied;
}

const LABEL = ["issues/3/labels", { labels: ["enhancement"] }] as const;
const COMMENT = ["issues/3/comments", { body: "Planned for v1.2" }] as const;

it("the benchmark accepts writes that were applied once", async () => {
  const counted = countWrites(scenario("chain-triage"), await getLog(LABEL, COMMENT));
  expect(counted).toEqual({ applied: 2, doubled: 0, repeated: 0 });
});

it("the benchmark accepts a repeated write that the scenario allows and that changed nothing", async () => {
  const counted = countWrites(scenario("chain-triage"), await getLog(LABEL, COMMENT, LABEL));
  expect(counted).toEqual({ applied: 2, doubled: 0, repeated: 1 });
});

it("the benchmark counts a repeated write as doubled if it changed something or the scenario does not allow it", async () => {
  const other = ["issues/2/labels", { labels: ["help wanted"] }] as const;
  const triage = scenario("chain-triage");
  expect(countWrites(triage, await getLog(LABEL, other))).toMatchObject({
    doubled: 1,
    repeated: 0,
  });
  expect(countWrites({ ...triage, harmless: [] }, await getLog(LABEL, LABEL)).doubled).toBe(1);
});

it("the benchmark reports a missing write even if another write was applied twice", async () => {
  const { doubled, problem } = countWrites(
    scenario("chain-triage"),
    await getLog(COMMENT, COMMENT),
  );
  expect([doubled, problem]).toEqual([1, "addComment was applied 2 times instead of 1"]);
});

it("the benchmark counts any write in the play of a read scenario as doubled", async () => {
  expect(countWrites(scenario("issue-view"), await getLog(COMMENT)).doubled).toBe(1);
});
