import { describe, expect, it } from "vitest";
import { describeWithProgram } from "../support/programs.ts";
import { DOORS } from "./doors.ts";

/** The number of inputs; `npm run fuzz` sends 250,000. */
const COUNT = 4_000;

describe.each(Object.entries(DOORS))("random inputs through %s", (_, { door, share, program }) => {
  const suite = (): void => {
    it("Waybill returns a valid envelope for every random input", async () => {
      expect(await door(Math.ceil(COUNT * share), 7)).toEqual([]);
    });
  };
  if (program === undefined) suite();
  else describeWithProgram(program, suite);
});
