import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { createWaybill, defineOperation } from "@waybill/core";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { makeWorld } from "../fixtures/world.ts";
import type { Io } from "../io.ts";
import { openTelemetry } from "./telemetry.ts";

interface SentSpan {
  readonly name: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
}

interface Sent {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly { key: string; value: object }[] };
    readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[];
  }[];
}

/** A collector that stores the spans that it receives. */
async function startCollector() {
  const bodies: Sent[] = [];
  const paths: string[] = [];
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    paths.push(`${request.method} ${request.url} ${String(request.headers["x-key"])}`);
    bodies.push(JSON.parse(await text(request)) as Sent);
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  };
  const server = createServer((request, response) => void take(request, response));
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, bodies, paths };
}

/** Runs `openTelemetry` as a command would. */
async function opened(env: Readonly<Record<string, string>>) {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  const world = await makeWorld(onTestFinished);
  let telemetry: Awaited<ReturnType<typeof openTelemetry>>;
  const { stderr } = await world.run([], { env }, async (io: Io) => {
    telemetry = await openTelemetry(io);
    return 0;
  });
  return { telemetry: telemetry!, stderr };
}

describe("OpenTelemetry spans of a server", () => {
  it("each call and attempt has an OpenTelemetry span, which is sent to the collector of the OTEL variables", async () => {
    const { url, bodies, paths } = await startCollector();
    const { telemetry } = await opened({
      OTEL_EXPORTER_OTLP_ENDPOINT: url,
      OTEL_EXPORTER_OTLP_HEADERS: "x-key=k1",
      OTEL_SERVICE_NAME: "shop-agent",
    });
    const greet = defineOperation({
      id: "greeting.say",
      description: "Greet",
      effect: "read",
      handler: () => "hello",
    });
    const waybill = createWaybill({ operations: [greet], observer: telemetry });
    await waybill.execute("greeting.say", {});
    await telemetry.close();
    expect(paths).toEqual(["POST /v1/traces k1"]);
    const [{ resource, scopeSpans } = expect.fail("nothing was sent")] = bodies[0]!.resourceSpans;
    const spans = scopeSpans.flatMap((scope) => scope.spans);
    const call = spans.find(({ name }) => name === "waybill greeting.say");
    const attempt = spans.find(({ name }) => name === "waybill attempt local");
    expect(attempt?.parentSpanId).toBe(call?.spanId);
    const service = { key: "service.name", value: { stringValue: "shop-agent" } };
    expect(resource.attributes).toContainEqual(service);
  });

  it.each([
    {},
    { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9", OTEL_SDK_DISABLED: "true" },
    { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9", OTEL_TRACES_EXPORTER: "none" },
  ])("no OpenTelemetry spans are sent for the environment %j", async (env) => {
    expect(await opened(env)).toEqual({ telemetry: undefined, stderr: "" });
  });

  it("the warning about missing telemetry names the exporter package to install", async () => {
    const { telemetry, stderr } = await opened({
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9",
      OTEL_EXPORTER_OTLP_PROTOCOL: "grpc",
    });
    expect(telemetry).toBeUndefined();
    expect(stderr).toContain("@opentelemetry/exporter-trace-otlp-grpc");
  });
});
