import { describe, expect, it } from "vitest";
import { stopClock } from "../../../../test/support/stop-clock.ts";
import type { VerifyProbe } from "../cards/index.ts";
import { localEnvelope } from "../envelope/index.ts";
import { judgeProbe } from "./judge-probe.ts";
import { now } from "./moment.ts";

const PROBE = {
  kind: "state",
  same: { title: "Hello" },
  reads: [{}],
  missing: [],
} as unknown as VerifyProbe;

const HOUR = 3_600_000;

/**
 * Judges an object that is not in the requested state, this many milliseconds after the write on
 * each clock.
 */
function judgeLater(here: number | undefined, there: number | undefined): string {
  const server = 1_000_000;
  const { meta } = localEnvelope(null, "issue.view");
  const told = there === undefined ? {} : { serverDate: server + there };
  const response = { data: { title: "Other" }, meta: { ...meta, ...told } };
  const known = { field: "id", values: new Set(), serverDate: server };
  const sentAt = here === undefined ? undefined : Date.now() - here;
  return judgeProbe({
    probe: PROBE,
    looked: { response, asked: now(), answered: now() },
    began: undefined,
    trail: { known, sentAt },
    error: undefined,
    isLater: true,
    isComparable: true,
  }).outcome;
}

describe("a write of an earlier call that the probe does not find", () => {
  it.each([
    ["both clocks say that the earlier call is over", 16_000, 16_000, "not_applied"],
    [
      "this machine says that the earlier call is over, and the server reports no time",
      16_000,
      undefined,
      "not_applied",
    ],
    [
      "the clock of this machine was set back, and the server says that the earlier call is over",
      -2 * HOUR,
      16_000,
      "not_applied",
    ],
    ["the clock of this machine was set forward", 23 * HOUR, 2_000, "unknown"],
    ["the clock of the server was set forward", 2_000, HOUR, "unknown"],
    [
      "the clock of this machine was set back, and the server reports no time",
      -2 * HOUR,
      undefined,
      "unknown",
    ],
    ["the server reports no time, and no time is recorded", undefined, undefined, "unknown"],
  ] as const)(
    "a lost write of an earlier call that a verify read does not find has the outcome $3 if %s",
    (_, here, there, outcome) => {
      stopClock();
      expect(judgeLater(here, there)).toBe(outcome);
    },
  );
});
