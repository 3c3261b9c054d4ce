import { describe, expect, it } from "vitest";
import { playCuts } from "./cuts.ts";
import { playKills } from "./kills.ts";

const SLOW = 120_000;

describe("programs with writes", () => {
  it(
    "programs with writes apply nothing twice and tell the truth, wherever they are cut",
    async () => {
      const { problems, finished } = await playCuts(60, 7);
      expect(problems).toEqual([]);
      expect(finished).toBeGreaterThan(10);
    },
    SLOW,
  );

  it(
    "programs with writes apply nothing twice when their process is killed and another continues",
    async () => {
      const { problems, kills } = await playKills(1, 3);
      expect(problems).toEqual([]);
      expect(kills).toBe(1);
    },
    SLOW,
  );
});
