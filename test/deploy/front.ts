import { once } from "node:events";
import { request as httpRequest } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { setTimeout as delay } from "node:timers/promises";

const TRY_MS = 10_000;
const PAUSE_MS = 50;
const HEALTH_MS = 100;

export interface Front {
  readonly url: string;
  close(): void;
}

/** Forwards the request to one gateway; undefined if the gateway received nothing of it. */
function pass(
  port: number,
  { method, url, headers }: IncomingMessage,
  body: Buffer,
): Promise<IncomingMessage | undefined> {
  return new Promise((resolve, reject) => {
    const options = { port, host: "127.0.0.1", method, path: url, headers, agent: false };
    const sent = httpRequest(options, resolve);
    sent.once("error", (error) => {
      if (Reflect.get(error, "code") === "ECONNREFUSED") resolve(undefined);
      else reject(error);
    });
    sent.end(body);
  });
}

/**
 * Whether a gateway accepts requests. A gateway that is stopping says no before it stops listening.
 */
async function isHealthy(port: number): Promise<boolean> {
  const signal = AbortSignal.timeout(TRY_MS);
  return fetch(`http://127.0.0.1:${port}/health`, { signal }).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** Says why, so that a failed call in a report can be traced. */
function refuse(outgoing: ServerResponse, status: number, message: string): void {
  if (outgoing.headersSent) outgoing.destroy();
  else outgoing.writeHead(status).end(JSON.stringify({ ok: false, error: { front: message } }));
}

/**
 * TLS in front of the gateways, with the rules of `deploy/config/Caddyfile`: it skips a gateway
 * that refuses connections or is unhealthy, keeps no connections open, and sends nothing twice.
 */
export async function startFront(
  ports: readonly number[],
  tls: { readonly cert: string; readonly key: string },
): Promise<Front> {
  let turn = 0;
  let healthy: readonly number[] = ports;
  const look = async (): Promise<void> => {
    const states = await Promise.all(ports.map(isHealthy));
    healthy = ports.filter((_, index) => states[index]);
  };
  const closing = new AbortController();
  // One look after the other, because a late answer says nothing about now.
  const looking = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      await look();
      await delay(HEALTH_MS);
    }
  };
  void looking();
  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const body = await buffer(incoming);
    for (const end = Date.now() + TRY_MS; Date.now() < end; await delay(PAUSE_MS)) {
      const chosen = healthy;
      for (let tries = 0; tries < chosen.length; tries++) {
        const found = await pass(chosen[turn++ % chosen.length]!, incoming, body);
        if (found === undefined) continue;
        outgoing.writeHead(found.statusCode ?? 502, found.headers);
        return pipeline(found, outgoing);
      }
    }
    refuse(outgoing, 503, "no gateway accepts requests");
  };
  const server = createServer(tls, (incoming, outgoing) => {
    answer(incoming, outgoing).catch((error: unknown) => refuse(outgoing, 502, String(error)));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      closing.abort();
      server.closeAllConnections();
      server.close();
    },
  };
}
