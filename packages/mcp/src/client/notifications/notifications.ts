import { once } from "node:events";
import { Readable } from "node:stream";
import { defineSubscription, errorFromUnknown, fail, localEnvelope } from "@waybill/core";
import { exactIntegersMeta } from "@waybill/core/schema";
import type { CallError, Operation, OperationContext, ResponseEnvelope } from "@waybill/core";
import { callFailure } from "../calls/call-failure.ts";
import { connectErrorCode } from "../connect-failure.ts";
import type { Link } from "../link.ts";
import type { Connection } from "../connect.ts";
import { newRequestState } from "../wire/request-state.ts";
import type { Notification } from "../wire/wire.ts";
import { askForNotifications } from "./ask-for-notifications.ts";
import type { Wanted } from "./ask-for-notifications.ts";

/** The maximum number of notifications that wait for a slow subscriber. */
const MAX_WAITING = 1_000;
/**
 * Notifications that are not passed on, because they belong to a single call or to the protocol
 * itself.
 */
const NOT_FOR_SUBSCRIBERS: ReadonlySet<string> = new Set([
  "notifications/progress",
  "notifications/cancelled",
  "notifications/subscriptions/acknowledged",
]);

const INPUT = {
  type: "object",
  properties: {
    resources: {
      type: "array",
      maxItems: 100,
      items: { type: "string", minLength: 1 },
      description: "URIs of resources whose changes are wanted",
    },
    level: {
      enum: ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"],
      description: "Log messages of this level and above",
    },
  },
  additionalProperties: false,
} as const;

const OUTPUT = {
  type: "object",
  required: ["method"],
  properties: { method: { type: "string" }, params: {} },
} as const;

/** Passes notifications on until the reader stops or the connection is lost. */
async function forward(
  connection: Connection,
  wanted: Wanted,
  values: Readable,
  stop: AbortSignal,
): Promise<void> {
  const lost = new AbortController();
  const unlisten = connection.wire.listen({
    onNotification: (notification) => take(values, notification),
    onClosed: () => lost.abort(),
  });
  try {
    const asked = await askForNotifications(connection, wanted, stop);
    asked.ended.then(() => lost.abort()).catch(() => {});
    await aborted(AbortSignal.any([stop, lost.signal]));
    await asked.stop();
  } catch (error) {
    throw subscribeFailure(error, connection, stop);
  } finally {
    unlisten();
  }
  if (!stop.aborted)
    throw fail("NETWORK", "The MCP server ended the stream of notifications; subscribe again");
}

/** A numeric code comes from the server. The SDK's own codes are words. */
function subscribeFailure(thrown: unknown, connection: Connection, signal: AbortSignal): CallError {
  const code = connectErrorCode(thrown);
  const state = newRequestState();
  if (typeof code === "number") {
    state.rpcError = { code, message: errorFromUnknown(thrown).message };
  }
  const { line, redactor } = connection;
  return redactor.error(callFailure(thrown, state, signal, (status) => line.headersOf(status)));
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, "abort");
}

function take(values: Readable, notification: Notification): void {
  if (NOT_FOR_SUBSCRIBERS.has(notification.method) || values.destroyed) return;
  if (values.readableLength >= MAX_WAITING) {
    values.destroy(
      fail(
        "TOO_LARGE",
        `More than ${MAX_WAITING} notifications wait to be read; read them faster, or subscribe to fewer`,
      ),
    );
  } else values.push(notification);
}

/** A notification for a reader, with a warning about integers that a number cannot hold. */
function readNotification(
  id: string,
  { integers, ...notification }: Notification,
): ResponseEnvelope<Omit<Notification, "integers">> {
  const { data, meta } = localEnvelope(notification, id);
  return {
    data,
    meta: { ...meta, ...exactIntegersMeta(integers.map((path) => `/params${path}`)) },
  };
}

async function* follow(
  id: string,
  link: Link,
  wanted: Wanted,
  { signal }: OperationContext,
): AsyncGenerator<ResponseEnvelope<Omit<Notification, "integers">>, void, undefined> {
  const stop = new AbortController();
  const values = new Readable({ objectMode: true, highWaterMark: MAX_WAITING, read: () => {} });
  const done = link
    .use((connection) => forward(connection, wanted, values, stop.signal), signal)
    .then(
      () => values.push(null),
      (error: unknown) => values.destroy(error as Error),
    );
  signal.addEventListener("abort", () => stop.abort(), { once: true });
  try {
    for await (const value of values as AsyncIterable<Notification>)
      yield readNotification(id, value);
  } finally {
    stop.abort();
    await done;
  }
}

/** Creates the subscription to the notifications of a server. */
export function notificationsOperation(id: string, link: Link): Operation {
  return defineSubscription({
    id,
    description: "Notifications of the server: changed resources, changed lists, log messages",
    effect: "read",
    input: INPUT,
    output: OUTPUT,
    exposed: false,
    handler: (wanted, context) => follow(id, link, wanted, context),
  });
}
