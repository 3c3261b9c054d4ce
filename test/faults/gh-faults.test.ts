import { it } from "vitest";
import { describeWithProgram } from "../support/programs.ts";
import { expectNothingWrong } from "./expect-nothing-wrong.ts";
import { runMatrix } from "./matrix.ts";

// Each request starts a process, which is slow, so only some of the cells are run here.
describeWithProgram("gh", () => {
  it("calls through gh under faults apply no write twice, lose no outcome and report no false outcome", async () => {
    const options = {
      rounds: "sample",
      seed: 1,
      journal: "memory",
      carrier: "gh",
    } as const;
    expectNothingWrong(await runMatrix(options));
  });
});
