import { expect, it } from "vitest";
import type { KeptCall, WriteRecord } from "../log/index.ts";
import { withEarlier } from "./earlier-writes.ts";
import type { PerformedCall } from "./perform-calls.ts";

type Outcome = WriteRecord["outcome"];

function performed(outcome: Outcome, code: string): PerformedCall {
  const answer = { n: 1, id: "order.note", error: { code } };
  return { answer, write: { id: "order.note", input: {}, outcome } };
}

function kept(outcome: Outcome, digest = "d"): KeptCall {
  const write = { id: "order.note", input: {}, outcome };
  return { digest, answer: { n: 1, id: "order.note", form: "data", data: null }, write };
}

it.each<[string, Outcome, string, readonly KeptCall[] | undefined, Outcome]>([
  [
    "a write that was applied in the first run stays applied",
    "not_applied",
    "CANCELLED",
    [kept("applied")],
    "applied",
  ],
  [
    "a write that was refused in the first run stays refused",
    "not_applied",
    "CANCELLED",
    [kept("not_applied")],
    "not_applied",
  ],
  [
    "a write without a record of the killed run is unknown",
    "not_applied",
    "TIMEOUT",
    [],
    "unknown",
  ],
  [
    "the record of a call with other input is ignored",
    "not_applied",
    "CANCELLED",
    [kept("applied", "x")],
    "unknown",
  ],
  [
    "a refusal in the resumed run counts",
    "not_applied",
    "CONFLICT",
    [kept("unknown")],
    "not_applied",
  ],
  ["an applied write of the resumed run counts", "applied", "", [kept("unknown")], "applied"],
  [
    "without an earlier run, the call's own outcome counts",
    "not_applied",
    "CANCELLED",
    undefined,
    "not_applied",
  ],
])(
  "withEarlier reports the writes of a cancelled resumed run: %s",
  (_what, outcome, code, earlier, expected) => {
    const [call] = withEarlier([performed(outcome, code)], ["d"], earlier);
    expect(call?.write?.outcome).toBe(expected);
  },
);
