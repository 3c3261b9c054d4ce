import { it } from "vitest";
import { describeWithProgram } from "../support/programs.ts";
import { expectNothingWrong } from "./expect-nothing-wrong.ts";
import { runMatrix } from "./matrix.ts";

// Each request starts a process, which is slow, so only some of the cells are run here.
describeWithProgram("gh", () => {
  it("applies no write twice, loses no outcome and reports no false outcome through gh", async () => {
    const options = {
      rounds: "sample",
      seed: 1,
      journal: "memory",
      carrier: "gh",
    } as const;
    expectNothingWrong(await runMatrix(options));
  });
});
