import { Client, isSpecType } from "@modelcontextprotocol/client";
import type {
  ClientCapabilities,
  PriorDiscovery,
  VersionNegotiationMode,
} from "@modelcontextprotocol/client";
import { createRedactor, isCallError } from "@waybill/core";
import type { Redactor } from "@waybill/core";
import { connectFailure } from "./connect-failure.ts";
import { answerQuestions, canAnswer, relayQuestions, relaySampling } from "./elicitation.ts";
import { openLine } from "./line.ts";
import type { Line } from "./line.ts";
import { isStdio } from "./settings.ts";
import type { McpSourceSettings } from "./settings.ts";
import type { StateStore } from "./store/state-store.ts";
import { VERSION } from "./version.ts";
import { Wire } from "./wire/wire.ts";

/** A connected server. */
export interface Connection {
  readonly client: Client;
  readonly wire: Wire;
  readonly line: Line;
  /** Knows the secrets that were sent to the server. */
  readonly redactor: Redactor;
  readonly isModern: boolean;
  /** The protocol version of the server, to be stored for later runs. */
  readonly verdict: PriorDiscovery;
  /** Whether the protocol version was read from the store and is not confirmed yet. */
  readonly isAssumed: boolean;
  close(): Promise<void>;
}

const DEFAULT_CONNECT_MS = 30_000;
/**
 * If a program is silent for this long, it does not know the first request of the newer
 * protocol.
 */
const STDIO_PROBE_MS = 10_000;
const END_SESSION_MS = 1_000;
const MAX_PAGES = 100;

function connectMs({ connectTimeoutMs }: McpSourceSettings): number {
  return connectTimeoutMs ?? DEFAULT_CONNECT_MS;
}

function getCapabilities(settings: McpSourceSettings): ClientCapabilities {
  return {
    extensions: { "io.modelcontextprotocol/tasks": {} },
    ...(canAnswer(settings) && { elicitation: { form: { applyDefaults: true }, url: {} } }),
    ...(canSample(settings) && { sampling: {} }),
  };
}

/**
 * Whether the server may use the client's model. Only a trusted server may, because the model
 * costs money and reads the server's text.
 */
function canSample({ relay, trusted }: McpSourceSettings): boolean {
  return relay !== undefined && trusted === true;
}

/** Sets the handlers for questions that the server asks while a tool runs. */
function answerServer(client: Client, settings: McpSourceSettings): void {
  const { elicit, relay } = settings;
  if (elicit !== undefined) answerQuestions(client, elicit);
  else if (relay !== undefined) relayQuestions(client, relay);
  if (relay !== undefined && canSample(settings)) relaySampling(client, relay);
}

function getMode({ protocol }: McpSourceSettings): VersionNegotiationMode {
  if (protocol === undefined) return "auto";
  return protocol === "2025-11-25" ? "legacy" : { pin: protocol };
}

/** If the protocol version is not known, some time is reserved to try the older one. */
function probeMs(settings: McpSourceSettings): number {
  const timeout = connectMs(settings);
  return settings.protocol === undefined ? Math.min(STDIO_PROBE_MS, timeout / 2) : timeout;
}

function newClient(settings: McpSourceSettings): Client {
  const probe = isStdio(settings) ? { timeoutMs: probeMs(settings) } : {};
  const client = new Client(
    { name: "waybill", version: VERSION },
    {
      capabilities: getCapabilities(settings),
      versionNegotiation: { mode: getMode(settings), probe },
      inputRequired: { autoFulfill: canAnswer(settings) },
      listMaxPages: MAX_PAGES,
    },
  );
  answerServer(client, settings);
  return client;
}

async function endSession(line: Line): Promise<void> {
  const late = new Promise<void>((resolve) => {
    setTimeout(resolve, END_SESSION_MS).unref();
  });
  await Promise.race([line.endSession().catch(() => {}), late]);
}

async function closeAll(client: Client, line: Line): Promise<void> {
  await endSession(line);
  await client.close().catch(() => {});
  await line.transport.close().catch(() => {});
}

function followWire(wire: Wire, line: Line): void {
  line.onTooLong = (id) => {
    if (id !== undefined) wire.lose(id, true);
  };
}

/** The options of a connection. */
export interface ConnectOptions {
  readonly store: StateStore;
  /** The protocol that the server used last. */
  readonly prior: PriorDiscovery | undefined;
  /** Aborts a connection that is being established. */
  readonly signal: AbortSignal;
}

async function connectOnce(
  settings: McpSourceSettings,
  { store, prior, signal }: ConnectOptions,
): Promise<Connection> {
  const line = openLine(settings, store);
  const redactor = createRedactor(() => line.secrets());
  const wire = new Wire(line.transport, isSpecType.Tool, () => line.wasTooLarge(), redactor);
  const client = newClient(settings);
  followWire(wire, line);
  const timeout = connectMs(settings);
  const stop = (): void => void line.transport.close().catch(() => {});
  signal.addEventListener("abort", stop, { once: true });
  try {
    signal.throwIfAborted();
    await client.connect(wire, { timeout, signal, ...(prior !== undefined && { prior }) });
  } catch (thrown) {
    await line.transport.close().catch(() => {});
    throw connectFailure(settings, thrown, line, redactor);
  } finally {
    signal.removeEventListener("abort", stop);
  }
  const discover = client.getDiscoverResult();
  let closing: Promise<void> | undefined;
  return {
    client,
    wire,
    line,
    redactor,
    isModern: client.getProtocolEra() === "modern",
    verdict: discover === undefined ? { kind: "legacy" } : { kind: "modern", discover },
    isAssumed: prior !== undefined,
    close: () => (closing ??= closeAll(client, line)),
  };
}

/**
 * Connects to a server of either protocol version. A program that exits at the first request of the
 * newer protocol is started again with the older one.
 */
export async function connect(
  settings: McpSourceSettings,
  options: ConnectOptions,
): Promise<Connection> {
  try {
    return await connectOnce(settings, options);
  } catch (error) {
    const { prior, signal } = options;
    const isOnce = prior !== undefined || signal.aborted || !isStdio(settings);
    if (isOnce || !endedWhileAsked(error)) throw error;
    return connectOnce(settings, { ...options, prior: { kind: "legacy" } });
  }
}

function endedWhileAsked(error: unknown): boolean {
  return isCallError(error) && error.details["ended"] === true;
}
