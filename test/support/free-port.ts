import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/**
 * Systems give ports from 32,768 up to outgoing connections, at any moment. A port below stays free
 * until the test uses it.
 */
const FIRST = 10_000;
const AFTER_LAST = 32_768;
const MAX_TRIES = 100;

/** The ports that this process has given out: a server may not listen on its port yet. */
const given = new Set<number>();

/** A port on loopback that no other program uses. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const port = randomInt(FIRST, AFTER_LAST);
    if (given.has(port) || !(await isFree(port))) continue;
    given.add(port);
    return port;
  }
  throw new Error(`No port from ${FIRST} to ${AFTER_LAST - 1} is free.`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    await once(server.listen(port, "127.0.0.1"), "listening");
  } catch {
    return false;
  }
  server.close();
  await once(server, "close");
  return true;
}
