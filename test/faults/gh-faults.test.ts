import { it } from "vitest";
import { describeWithProgram } from "../support/programs.ts";
import { expectNothingWrong } from "./expect-nothing-wrong.ts";
import { runMatrix } from "./matrix.ts";

/** One test starts hundreds of processes. */
const HANGS_MS = 1_800_000;

// Starting a process for every request is slow, so only some cells are run here.
describeWithProgram("gh", () => {
  it(
    "applies no write twice, loses no outcome and reports no false outcome through gh",
    async () => {
      const options = {
        rounds: "sample",
        seed: 1,
        journal: "memory",
        carrier: "gh",
      } as const;
      expectNothingWrong(await runMatrix(options));
    },
    HANGS_MS,
  );
});
