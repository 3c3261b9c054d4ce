import type { Observer } from "@waybill/core";
import { traceObserver } from "@waybill/state";
import { warn } from "../io.ts";
import type { Io } from "../io.ts";
import { version } from "../version.ts";

/** Sends a span for each call to a collector. */
export interface Telemetry {
  readonly onCall: NonNullable<Observer["onCall"]>;
  /** Sends the remaining spans. */
  close(): Promise<void>;
}

/** The exporter package for each protocol. The first is the default. */
const EXPORTERS: ReadonlyMap<string, string> = new Map([
  ["http/json", "@opentelemetry/exporter-trace-otlp-http"],
  ["http/protobuf", "@opentelemetry/exporter-trace-otlp-proto"],
  ["grpc", "@opentelemetry/exporter-trace-otlp-grpc"],
]);

type ExporterModule = Pick<
  typeof import("@opentelemetry/exporter-trace-otlp-http"),
  "OTLPTraceExporter"
>;

/** Whether OpenTelemetry's environment variables turn traces on. */
function isWanted({ env }: Io): boolean {
  const hasEndpoint =
    (env["OTEL_EXPORTER_OTLP_ENDPOINT"] ?? "") !== "" ||
    (env["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"] ?? "") !== "";
  const exporter = env["OTEL_TRACES_EXPORTER"] ?? (hasEndpoint ? "otlp" : "none");
  return exporter === "otlp" && env["OTEL_SDK_DISABLED"] !== "true";
}

function exporterPackage({ env }: Io): string {
  const protocol =
    env["OTEL_EXPORTER_OTLP_TRACES_PROTOCOL"] ?? env["OTEL_EXPORTER_OTLP_PROTOCOL"] ?? "http/json";
  return EXPORTERS.get(protocol) ?? EXPORTERS.get("http/json")!;
}

/**
 * The exporter and the provider read endpoint, headers, limits and resource from the environment.
 */
async function start(exporterName: string): Promise<Telemetry> {
  const [{ context, trace }, { BasicTracerProvider, BatchSpanProcessor }, resources, exporter] =
    await Promise.all([
      import("@opentelemetry/api"),
      import("@opentelemetry/sdk-trace-base"),
      import("@opentelemetry/resources"),
      import(exporterName) as Promise<ExporterModule>,
    ]);
  const { defaultResource, detectResources, envDetector, resourceFromAttributes } = resources;
  const named = resourceFromAttributes({ "service.name": "waybill" });
  const provider = new BasicTracerProvider({
    resource: defaultResource()
      .merge(named)
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(new exporter.OTLPTraceExporter())],
  });
  const observer = traceObserver(provider.getTracer("waybill", version()), (span) =>
    trace.setSpan(context.active(), span),
  );
  return { onCall: (record) => observer.onCall?.(record), close: () => provider.shutdown() };
}

/**
 * Creates OpenTelemetry spans, if its environment variables turn them on. Users install the
 * packages themselves; if they are missing, a warning names them.
 */
export async function openTelemetry(io: Io): Promise<Telemetry | undefined> {
  if (!isWanted(io)) return undefined;
  const exporter = exporterPackage(io);
  try {
    return await start(exporter);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const packages = `@opentelemetry/api @opentelemetry/sdk-trace-base @opentelemetry/resources ${exporter}`;
    await warn(io, [
      `no traces are sent: ${why}. Install these beside waybill: npm install ${packages}`,
    ]);
    return undefined;
  }
}
