import { setTimeout as sleep } from "node:timers/promises";
import type { SubscriptionFilter } from "@modelcontextprotocol/client";
import type { Connection } from "./connect.ts";

const MAX_LISTENS = 5;
const LISTEN_AGAIN_MS = 1_000;

/** The kinds of lists that may change, according to the server. */
function changingLists({ client }: Connection): SubscriptionFilter {
  const { tools, resources, prompts } = client.getServerCapabilities() ?? {};
  return {
    ...(tools?.listChanged === true && { toolsListChanged: true }),
    ...(resources?.listChanged === true && { resourcesListChanged: true }),
    ...(prompts?.listChanged === true && { promptsListChanged: true }),
  };
}

async function listenForLists(connection: Connection): Promise<void> {
  const { client } = connection;
  const lists = changingLists(connection);
  if (Object.keys(lists).length === 0) return;
  for (let listens = 0; listens < MAX_LISTENS; listens++) {
    const { closed } = await client.listen(lists);
    if ((await closed) !== "remote" || client.transport === undefined) return;
    await sleep(LISTEN_AGAIN_MS * 2 ** listens, undefined, { ref: false });
  }
}

/** Calls a function when a server reports that its tools have changed. */
export function watchTools(connection: Connection, onChanged: () => void): void {
  const { client } = connection;
  if (client.getServerCapabilities()?.tools?.listChanged !== true) return;
  client.setNotificationHandler("notifications/tools/list_changed", onChanged);
}

/**
 * In the newer protocol, changes are reported on a stream that must be requested and that may
 * break.
 */
export function listenForChanges(connection: Connection): void {
  if (connection.isModern) listenForLists(connection).catch(() => {});
}
