import { expect, it } from "vitest";
import { runSecondJudge } from "./second-judge.ts";

const FAULTS = ["response lost", "reset before", "502 after", "response chunk cut"] as const;

it(
  "the outcome of lost writes is found on a GitHub emulator of another project",
  { timeout: 1_800_000 },
  async () => {
    const { violations, applied, visible, settled, settledLater } = await runSecondJudge(FAULTS);
    expect(violations).toEqual([]);
    expect(applied).toBeGreaterThan(10);
    expect([settled, settledLater]).toEqual([visible, applied]);
  },
);
