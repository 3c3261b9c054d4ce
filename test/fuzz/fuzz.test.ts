import { describe, expect, it } from "vitest";
import { DOORS } from "./doors.ts";

/** `npm run fuzz` sends 250,000. */
const COUNT = 4_000;

describe.each(Object.entries(DOORS))("odd inputs through %s", (_, { door, share }) => {
  it("get a whole envelope each", async () => {
    expect(await door(Math.ceil(COUNT * share), 7)).toEqual([]);
  }, 600_000);
});
