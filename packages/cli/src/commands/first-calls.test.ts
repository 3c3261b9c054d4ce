import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FIRST_CALLS, openJudge } from "../fixtures/first-calls/index.ts";

type Judge = Awaited<ReturnType<typeof openJudge>>;

const cleanUps: (() => unknown)[] = [];
let judge: Judge;
beforeAll(async () => {
  judge = await openJudge((cleanUp) => void cleanUps.push(cleanUp));
});
afterAll(async () => {
  for (const cleanUp of cleanUps.toReversed()) await cleanUp();
});

/**
 * Only some calls are made here, because all of them take too long. `npm run first-calls` makes
 * all.
 */
const isFull = process.env["WAYBILL_FIRST_CALLS"] === "all";
const SHARE = 12;

describe.each(Object.entries(FIRST_CALLS))("first calls of agents, list: %s", (habits, list) => {
  const calls = list.filter((_, index) => isFull || index % SHARE === 0);
  const late: string[] = [];

  it.each(calls.map((call) => [call.call, call] as const))(
    "the first call of a new user succeeds, or its error names the right call: %s",
    async (_line, call) => {
      const said = await judge.first(call);
      if (said === undefined) return;
      late.push(call.call);
      if (call.isLong === true) return;
      expect(call.next === undefined ? said : "").toBe("");
      expect(await judge.second(call)).toBeUndefined();
    },
  );

  it.runIf(isFull)(
    `at least 85 % of the first calls in the list "${habits}" succeed at once`,
    () => {
      console.log(`${habits}: ${calls.length - late.length} of ${calls.length} at once`);
      expect(late.length > calls.length * 0.15 ? late : []).toEqual([]);
    },
  );
});
