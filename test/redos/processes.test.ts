import { describe, expect, it, onTestFinished } from "vitest";
import { MAIN } from "../../packages/cli/src/fixtures/program.ts";
import { AttackedWorld } from "./attacked-world.ts";
import { ATTACKS } from "./corpus.ts";
import { DOORS } from "./doors.ts";

/**
 * Starting a process for each attack is slow, so only a few attacks are sent to `run` here; `npm
 * run redos` sends all.
 */
const EVERY: Readonly<Record<string, number>> = { run: 40, "serve http": 4, "serve mcp": 4 };

describe.each(Object.entries(DOORS))("waybill %s with attack patterns", (name, door) => {
  it("the command answers every regular expression that attacks the command, while its process stays responsive and can be stopped", async () => {
    const every = EVERY[name]!;
    const attacks = ATTACKS.filter((_, index) => index % every === 0);
    const world = await AttackedWorld.open(attacks);
    onTestFinished(() => world.close());
    expect(await door(world, MAIN)).toEqual([]);
  });
});
