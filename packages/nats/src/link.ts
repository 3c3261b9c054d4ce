import { connect } from "@nats-io/transport-node";
import type { NatsConnection, NodeConnectionOptions } from "@nats-io/transport-node";
import { CallError, fail } from "@waybill/core";
import type { Identity } from "@waybill/core";
import { Identities } from "./identity/identities.ts";
import { NatsTransport } from "./transport.ts";
import { Bodies } from "./wire/bodies.ts";
import { Outbox } from "./wire/outbox.ts";
import { Subjects } from "./wire/subjects.ts";

export interface NatsOptions {
  /**
   * The address: `nats://host:port`, or several servers of one cluster; `tls://` for an
   * encrypted connection. The path is the name of the service: `nats://host/shop`.
   */
  readonly servers: string | readonly string[];
  /**
   * The name of the service that the workers share. Subjects begin with it (default: `waybill`).
   */
  readonly service?: string;
  /** The secret that signs callers. Workers without it treat every caller as unknown. */
  readonly key?: string | undefined;
  /** The identity of this program, for calls without another identity. */
  readonly identity?: Identity;
  /** How long a signed identity is valid, in milliseconds. */
  readonly tokenLifeMs?: number;
  /** The prefix of subjects that the NATS user may subscribe to (default: `_INBOX`). */
  readonly inboxPrefix?: string;
  /** The maximum size of a body. Large bodies use the object store. */
  readonly maxBodyBytes?: number;
  /**
   * After this time without a message, the worker is asked whether it still serves the request
   * (default: 5 s).
   */
  readonly probeAfterMs?: number;
  /** Credentials, TLS and other options of the NATS client. */
  readonly connection?: NodeConnectionOptions;
}

/** A connection to a service on NATS, for calling, serving and the journal. */
export interface NatsLink {
  readonly service: string;
  readonly transport: NatsTransport;
  readonly connection: NatsConnection;
  close(): Promise<void>;
}

const DEFAULT_SERVICE = "waybill";
const MAX_BODY_BYTES = 67_108_864;
const RECONNECT_MS = 250;
const CONNECT_MS = 5_000;
const RECONNECT_WITHIN_MS = 5_000;

function parseServer(server: string): URL {
  const text = server.includes("://") ? server : `nats://${server}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^(nats|tls):$/.test(url.protocol) || url.hostname === "") {
    const message = `The address of a NATS server must be like nats://127.0.0.1:4222, not ${JSON.stringify(server)}`;
    throw new CallError("VALIDATION_ERROR", message);
  }
  return url;
}

/** The options in the URLs: hosts, encryption and credentials. */
function optionsFrom(servers: readonly string[]): NodeConnectionOptions {
  const urls = servers.map(parseServer);
  const [{ username, password } = { username: "", password: "" }] = urls;
  const user = decodeURIComponent(username);
  const isToken = user !== "" && password === "";
  return {
    servers: urls.map(({ host }) => host),
    ...(urls.some(({ protocol }) => protocol === "tls:") && { tls: {} }),
    ...(isToken && { token: user }),
    ...(password !== "" && { user, pass: decodeURIComponent(password) }),
  };
}

async function connected(options: NodeConnectionOptions): Promise<NatsConnection> {
  try {
    return await connect(options);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    const isAuth = /authorization|authentication|permissions/i.test(why);
    const where = [options.servers].flat().join(", ");
    throw fail(
      isAuth ? "AUTH" : "NETWORK",
      `No connection to the NATS server at ${where}: ${why}`,
      {
        outcome: "not_applied",
        hint: isAuth ? "Check the credentials" : "Check that the server runs at this address",
        ...(!isAuth && { preflight: "SOURCE_DOWN" }),
      },
      { cause },
    );
  }
}

function serviceIn([first = ""]: readonly string[]): string | undefined {
  return parseServer(first).pathname.slice(1) || undefined;
}

/** Connects to a service on NATS. It reconnects automatically. */
export async function connectNats(options: NatsOptions): Promise<NatsLink> {
  const { inboxPrefix, probeAfterMs } = options;
  const servers = [options.servers].flat();
  const service = options.service ?? serviceIn(servers) ?? DEFAULT_SERVICE;
  const subjects = new Subjects(service);
  const identities = new Identities(service, options);
  const connection = await connected({
    name: `waybill ${service}`,
    maxReconnectAttempts: -1,
    reconnectTimeWait: RECONNECT_MS,
    timeout: CONNECT_MS,
    ...optionsFrom(servers),
    ...(inboxPrefix !== undefined && { inboxPrefix }),
    ...options.connection,
  });
  const bodies = new Bodies(connection, service, options.maxBodyBytes ?? MAX_BODY_BYTES);
  const wire = { connection, outbox: new Outbox(connection), subjects, identities, bodies };
  // In a cluster, another server takes over at once. A single server is down until it is restarted.
  const reconnectMs = servers.length > 1 ? RECONNECT_WITHIN_MS : 0;
  const transport = new NatsTransport(wire, { inboxPrefix, probeAfterMs, reconnectMs });
  return { service, transport, connection, close: () => transport.close() };
}
