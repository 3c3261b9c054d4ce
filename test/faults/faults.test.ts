import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { describeWithProgram } from "../support/programs.ts";
import { DEATHS, die, meet, openKillBench } from "./kills.ts";
import type { KillBench } from "./kills.ts";
import { runMatrix } from "./matrix.ts";
import { cells } from "./plan.ts";
import type { Tally } from "./tally.ts";

function expectNothingWrong(tally: Tally): void {
  expect(tally.violations).toEqual([]);
  expect(tally.total.double).toBe(0);
  expect(tally.certainShare).toBe(1);
  expect(tally.settledShare).toBeGreaterThanOrEqual(0.95);
}

// The bounded form of `npm run faults`: half the cells with their fault for good, half with it once.
describe("the fault matrix", () => {
  it("applies nothing twice, loses no outcome and tells no falsehood", async () => {
    const tally = await runMatrix({
      rounds: 2,
      seed: 1,
      journal: "memory",
      carrier: "http",
      oneIn: 2,
    });
    expectNothingWrong(tally);
    expect(tally.total.runs).toBeGreaterThanOrEqual(cells("http").length);
  });
});

// A process for every request takes its time, so only some of the cells are run here.
describeWithProgram("gh", () => {
  it("applies nothing twice, loses no outcome and tells no falsehood", async () => {
    const options = {
      rounds: 2,
      seed: 1,
      journal: "memory",
      carrier: "gh",
      oneIn: 17,
    } as const;
    expectNothingWrong(await runMatrix(options));
  });
});

describe("a caller that is killed", () => {
  let bench: KillBench;
  beforeAll(async () => void (bench = await openKillBench()));
  afterAll(() => bench.close());

  it.concurrent.each(DEATHS)("at $stops ($fault) leaves a key that is $leaves", async (death) => {
    const name = `${death.stops.join("-")}-${death.fault ?? "fine"}`;
    expect(await die(bench, death, name)).toEqual([]);
  });

  it("while alive has others with its key wait for its result", async () => {
    expect(await meet(bench, "meeting")).toEqual([]);
  });
});
