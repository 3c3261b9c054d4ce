import { setTimeout as sleep } from "node:timers/promises";
import type { Connection } from "./connect.ts";

const MAX_LISTENS = 5;
const LISTEN_AGAIN_MS = 1_000;

/** The newer protocol reports changes on a stream that must be requested and that may break. */
async function listenForChanges({ client }: Connection): Promise<void> {
  for (let listens = 0; listens < MAX_LISTENS; listens++) {
    const { closed } = await client.listen({ toolsListChanged: true });
    if ((await closed) !== "remote" || client.transport === undefined) return;
    await sleep(LISTEN_AGAIN_MS * 2 ** listens, undefined, { ref: false });
  }
}

/** Calls a function when a server says that its tools have changed. */
export function watchTools(connection: Connection, onChanged: () => void): void {
  const { client, isModern } = connection;
  if (client.getServerCapabilities()?.tools?.listChanged !== true) return;
  client.setNotificationHandler("notifications/tools/list_changed", onChanged);
  if (isModern) listenForChanges(connection).catch(() => {});
}
