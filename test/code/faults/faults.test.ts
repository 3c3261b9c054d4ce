import { describe, expect, it } from "vitest";
import { playCuts } from "./cuts.ts";
import { playKills } from "./kills.ts";

describe("programs with writes", () => {
  it("a program that is interrupted anywhere applies no write twice and reports true outcomes", async () => {
    const { problems, finished } = await playCuts(60, 7);
    expect(problems).toEqual([]);
    expect(finished).toBeGreaterThan(10);
  });

  it("a program whose process is killed and that another process continues applies no write twice", async () => {
    const { problems, kills } = await playKills(1, 3);
    expect(problems).toEqual([]);
    expect(kills).toBe(1);
  });
});
