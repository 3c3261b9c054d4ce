import type { CallDetail } from "@waybill/server";
import { describe, expect, it } from "vitest";
import { traceText } from "./trace-export.ts";

const CALL = {
  seq: 2,
  request_id: "r2",
  parent_id: "r1",
  kind: "call",
  capability_id: "repo.view",
  ok: false,
  error_code: "NOT_FOUND",
  started_at: 1_700_000_000_000,
  duration_ms: 12.5,
  attempts: 1,
  timeline: [{ route: "rest", status: "error", at_ms: 2, duration_ms: 10 }],
  children: [],
  ancestors: [
    {
      seq: 1,
      request_id: "r1",
      kind: "chain",
      capability_id: "chain",
      ok: true,
      started_at: 1_700_000_000_000,
      duration_ms: 20,
      attempts: 0,
    },
  ],
} as unknown as CallDetail;

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly status: { readonly code: number };
}

describe("traceText", () => {
  it("the trace of a call that the inspector exports has the call, its attempts and its parent as spans of one trace", () => {
    const text = traceText(CALL);
    const { resourceSpans } = JSON.parse(text) as {
      resourceSpans: { scopeSpans: { spans: Span[] }[] }[];
    };
    const [chain, call, attempt] = resourceSpans[0]!.scopeSpans[0]!.spans;
    expect(chain).toMatchObject({ name: "chain", status: { code: 1 } });
    expect(call).toMatchObject({
      name: "repo.view",
      parentSpanId: chain?.spanId,
      traceId: chain?.traceId,
      startTimeUnixNano: "1700000000000000000",
      endTimeUnixNano: "1700000000012500000",
      status: { code: 2 },
    });
    expect(attempt).toMatchObject({ name: "rest error", parentSpanId: call?.spanId });
    expect(chain?.traceId).toMatch(/^[0-9a-f]{32}$/u);
    expect(call?.spanId).toMatch(/^[0-9a-f]{16}$/u);
    expect(call?.spanId).not.toBe(attempt?.spanId);
  });
});
