import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DEATHS, die, meet, openKillBench } from "./kills.ts";
import type { KillBench } from "./kills.ts";

describe("a caller that is killed", () => {
  let bench: KillBench;
  beforeAll(async () => void (bench = await openKillBench()));
  afterAll(() => bench.close());

  it.concurrent.each(DEATHS)(
    "a caller that is killed at $stops ($fault) leaves a key that is $leaves",
    async (death) => {
      const name = `${death.stops.join("-")}-${death.fault ?? "fine"}`;
      expect(await die(bench, death, name)).toEqual([]);
    },
  );

  it("a caller that is killed while alive has others with its key wait for its result", async () => {
    expect(await meet(bench, "meeting")).toEqual([]);
  });
});
