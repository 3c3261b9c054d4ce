import { SpanStatusCode } from "@opentelemetry/api";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { createWaybill, defineOperation, fail, localEnvelope, localSource } from "@waybill/core";
import type { Source } from "@waybill/core";
import { oneRouteOperation } from "@waybill/core/cards";
import { describe, expect, it } from "vitest";
import { traceObserver } from "./trace-observer.ts";

const greet = defineOperation({
  id: "greeting.say",
  description: "Greet.",
  effect: "read",
  handler: () => "hello",
});
const refuse = defineOperation({
  id: "greeting.refuse",
  description: "Never greets.",
  effect: "read",
  handler: () => {
    throw fail("CONFLICT", "not today");
  },
});

function traced(sources: readonly Source[] = []) {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const observer = traceObserver(provider.getTracer("waybill"));
  return { exporter, waybill: createWaybill({ operations: [greet, refuse], sources, observer }) };
}

describe("OpenTelemetry spans", () => {
  it("each call has a trace span with its route and its time", async () => {
    const { exporter, waybill } = traced();
    await waybill.execute("greeting.say", { secret: "stays here" });
    await waybill.execute("greeting.say");
    const [, span] = exporter.getFinishedSpans();
    expect(span?.name).toBe("waybill greeting.say");
    expect(span?.attributes).toMatchObject({
      "waybill.capability": "greeting.say",
      "waybill.route": "local",
    });
    expect(JSON.stringify(span?.attributes)).not.toContain("stays here");
    expect(span?.ended).toBe(true);
    expect(span?.events.map(({ attributes }) => attributes)).toMatchObject([
      { route: "local", status: "success" },
    ]);
  });

  it("each attempt and each wait between attempts is an event of the call's trace span, with its own name", async () => {
    let calls = 0;
    const open = oneRouteOperation({
      spec: { ...greet.spec, id: "shop.open" },
      route: "rest",
      host: "shop.example",
      describe: () => ({}),
      send: async () => {
        calls += 1;
        if (calls < 3) throw fail("SERVER", "busy");
        return { response: localEnvelope("open", "shop.open"), upstreamRequests: 1 };
      },
    });
    const { exporter, waybill } = traced([localSource("shop", [open])]);
    await waybill.execute("shop.open");
    const [span] = exporter.getFinishedSpans();
    const [attempt, wait] = ["waybill.attempt", "waybill.wait"];
    expect(span?.events.map(({ name }) => name)).toEqual([attempt, wait, attempt, wait, attempt]);
  });

  it("the trace span of a failed call has the error and each attempt", async () => {
    const { exporter, waybill } = traced();
    await waybill.execute("greeting.refuse");
    const [span] = exporter.getFinishedSpans();
    expect(span?.status).toEqual({ code: SpanStatusCode.ERROR, message: "not today" });
    expect(span?.attributes["error.type"]).toBe("CONFLICT");
    expect(span?.events.map(({ attributes }) => attributes)).toMatchObject([
      { route: "local", status: "error", error_code: "CONFLICT" },
    ]);
  });
});
