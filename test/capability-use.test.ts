import { expect, it } from "vitest";
import { CAPABILITY_USE } from "../packages/cli/src/skill/capability-use.ts";
import { countUse } from "./support/count-use.ts";

it("the agent benchmark counts how often its tasks call each capability", () => {
  expect(CAPABILITY_USE).toEqual(countUse());
});
