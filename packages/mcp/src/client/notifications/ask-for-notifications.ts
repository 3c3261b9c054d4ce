import { fail } from "@waybill/core";
import type { LoggingLevel } from "@modelcontextprotocol/client";
import type { Connection } from "../connect.ts";

/** The notifications that a subscriber requests. */
export interface Wanted {
  readonly resources?: readonly string[];
  readonly level?: LoggingLevel;
}

/** A subscription at a server that sends the requested notifications. */
export interface Asked {
  /** Settles when the server ends the subscription. Only the newer protocol can report that. */
  readonly ended: Promise<unknown>;
  stop(): Promise<void>;
}

const NEVER = new Promise<never>(() => {});
const NOTHING_REQUESTED: Asked = { ended: NEVER, stop: () => Promise.resolve() };

/** The newer protocol has one stream per subscriber. */
async function listen({ client }: Connection, uris: readonly string[]): Promise<Asked> {
  const { resources, prompts } = client.getServerCapabilities() ?? {};
  const filter = {
    ...(prompts?.listChanged === true && { promptsListChanged: true }),
    ...(resources?.listChanged === true && { resourcesListChanged: true }),
    ...(uris.length > 0 && { resourceSubscriptions: [...uris] }),
  };
  if (Object.keys(filter).length === 0) return NOTHING_REQUESTED;
  const subscription = await client.listen(filter);
  return { ended: subscription.closed, stop: () => subscription.close() };
}

/** The older protocol has one list of resources per connection. */
async function subscribeToResources(
  { client }: Connection,
  uris: readonly string[],
  signal: AbortSignal,
): Promise<Asked> {
  for (const uri of uris) await client.subscribeResource({ uri }, { signal });
  const stop = async (): Promise<void> => {
    for (const uri of uris) await client.unsubscribeResource({ uri }).catch(() => {});
  };
  return { ended: NEVER, stop };
}

/** Requests notifications from a server. Notifications that every client gets need no request. */
export async function askForNotifications(
  connection: Connection,
  { resources: uris = [], level }: Wanted,
  signal: AbortSignal,
): Promise<Asked> {
  const { client, isModern } = connection;
  const { logging, resources } = client.getServerCapabilities() ?? {};
  if (uris.length > 0 && resources?.subscribe !== true) {
    throw fail("ADAPTER_UNSUPPORTED", "The server does not report changed resources", {
      outcome: "not_applied",
      hint: "Leave out `resources`",
    });
  }
  if (isModern) return listen(connection, uris);
  if (level !== undefined && logging !== undefined) await client.setLoggingLevel(level, { signal });
  return subscribeToResources(connection, uris, signal);
}
