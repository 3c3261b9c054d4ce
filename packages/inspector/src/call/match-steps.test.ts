import type { CallSummary } from "@waybill/server";
import { describe, expect, it } from "vitest";
import { matchSteps } from "./match-steps.ts";

const call = (request_id: string, capability_id: string, started_at: number, ok = true) =>
  ({ request_id, capability_id, started_at, ok, seq: started_at }) as CallSummary;
const ids = (found: ReturnType<typeof matchSteps>) => found.map((each) => each?.request_id);

describe("matchSteps", () => {
  it("the inspector finds the calls of chain steps without a request id by capability and time", () => {
    const calls = [call("c", "a.view", 3), call("b", "a.view", 2), call("w", "a.create", 1)];
    const results = [
      { ok: true, meta: { capability_id: "a.create", request_id: "w" } },
      { ok: true, meta: { capability_id: "a.view" } },
      { ok: true, meta: { capability_id: "a.view" } },
    ];
    expect(ids(matchSteps(results, calls))).toEqual(["w", "b", "c"]);
  });

  it("the inspector finds no call for a chain step that was not sent", () => {
    const calls = [call("b", "a.view", 2)];
    const refused = { ok: false, error: { code: "CANCELLED" }, meta: { capability_id: "a.view" } };
    const sent = { ok: true, meta: { capability_id: "a.view" } };
    expect(ids(matchSteps([refused, sent], calls))).toEqual([undefined, "b"]);
  });
});
