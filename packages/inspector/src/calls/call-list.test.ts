import type { CallSummary } from "@waybill/server";
import { describe, expect, it } from "vitest";
import { CallList, MAX_CALLS } from "./call-list.ts";

function call(seq: number): CallSummary {
  return {
    seq,
    request_id: `r${seq}`,
    kind: "call",
    capability_id: "repo.view",
    ok: true,
    started_at: 0,
    duration_ms: 1,
    attempts: 1,
  };
}

function calls(from: number, to: number): CallSummary[] {
  return Array.from({ length: to - from + 1 }, (_, index) => call(from + index));
}

describe("list of calls", () => {
  it("the inspector's list of calls shows the newest call first", () => {
    const list = new CallList();
    list.addNewer(calls(5, 7));
    list.addOlder(calls(3, 4).toReversed());
    const seen = Array.from({ length: list.size }, (_, index) => list.at(index)?.seq);
    expect(seen).toEqual([7, 6, 5, 4, 3]);
  });

  it("the inspector's list of calls adds no call twice, neither as a newer nor as an older call", () => {
    const list = new CallList();
    expect([list.addNewer(calls(5, 7)), list.addNewer(calls(6, 8))]).toEqual([3, 1]);
    list.addOlder(calls(4, 6).toReversed());
    expect([list.size, list.oldest, list.newest]).toEqual([5, 4, 8]);
  });

  it("the inspector's list of calls drops the oldest calls beyond its limit", () => {
    const list = new CallList();
    list.addNewer(calls(1, MAX_CALLS + 1_500));
    expect([list.size, list.newest, list.isFull]).toEqual([MAX_CALLS, MAX_CALLS + 1_500, true]);
  });
});
