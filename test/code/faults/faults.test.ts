import { describe, expect, it } from "vitest";
import { playCuts } from "./cuts.ts";
import { playKills } from "./kills.ts";

describe("programs with writes", () => {
  it("applies no write of a program twice and reports true outcomes, wherever the program is interrupted", async () => {
    const { problems, finished } = await playCuts(60, 7);
    expect(problems).toEqual([]);
    expect(finished).toBeGreaterThan(10);
  });

  it("applies no write of a program twice when its process is killed and another process continues", async () => {
    const { problems, kills } = await playKills(1, 3);
    expect(problems).toEqual([]);
    expect(kills).toBe(1);
  });
});
