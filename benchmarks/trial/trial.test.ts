import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { startGithubEmulator } from "@waybill/github/emulator";
import { storeState } from "../agent/world/state.ts";
import { changesBetween } from "./facts.ts";
import type { TrialWorld } from "./facts.ts";
import { DOORS } from "./folder.ts";
import { ROUNDS } from "./rounds/index.ts";
import { Seeder, TrialClock } from "./seeder.ts";
import { tasksPage } from "./tasks-page.ts";
import { makeWorld } from "./world.ts";

async function openWorld() {
  const folder = mkdtempSync(join(tmpdir(), "waybill-trial-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const clock = new TrialClock();
  const socket = join(folder, "s");
  const limits = { core: 1e9, graphql: 1e9, search: 1e9 };
  const github = await startGithubEmulator({ socket, clock: clock.now, rateLimits: limits });
  onTestFinished(() => github.close());
  const seeder = new Seeder(socket, clock);
  await makeWorld(seeder, github.store);
  return {
    seeder,
    state: () => structuredClone(storeState(github.store)) as unknown as TrialWorld,
  };
}

it.each([
  ["first", 30, 8],
  ["second", 30, 8],
  ["third", 30, 8],
  ["final", 30, 8],
  ["daily", 15, 2],
  ["weekly", 15, 3],
])(
  "the %s round of the trial has %i different tasks, at least %i of them with a loop",
  (round, count, loops) => {
    const tasks = ROUNDS[round] ?? [];
    expect(new Set(tasks.map(({ text }) => text)).size).toBe(count);
    expect(tasks.filter(({ kind }) => kind === "loop").length).toBeGreaterThanOrEqual(loops);
  },
);

it("every task of the trial is judged as failed if nothing was done, and unwanted changes are detected", async () => {
  const { seeder, state } = await openWorld();
  const before = state();
  for (const [round, tasks] of Object.entries(ROUNDS)) {
    const passed = tasks.filter(
      ({ check }) => check({ before, after: before, answer: "" }) === undefined,
    );
    expect([round, passed.map(({ text }) => text)]).toEqual([round, []]);
  }
  expect(changesBetween(before, state())).toEqual([]);
  await seeder.comment("octo/ferry", 3, "Unasked.");
  await seeder.branch("octo/atlas", "unasked");
  expect(changesBetween(before, state())).toEqual(["atlas:branches", "ferry#3"]);
});

it.each(DOORS)(
  "the task page of the trial for readers that know only %s shows no command of another tool",
  (door) => {
    const page = tasksPage(door, "the skill", ROUNDS["first"] ?? []);
    expect(page.includes("the skill")).toBe(door !== "gh");
    expect(/\bgh issue/u.test(page)).toBe(door === "gh");
    expect(/waybill run/u.test(page)).toBe(door === "command");
  },
);
