// A proxy for a NATS server that loses the acknowledgement of a write, as a dying server does.
import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import type { CleanUp } from "./nats-server.ts";

/** A write to a bucket, in the protocol of NATS. */
const WRITE = "PUB $KV.";
const REQUEST = "PUB ";

export interface LosingProxy {
  readonly url: string;
  /**
   * Holds everything that the server sends after the client's next write, until the client has
   * given up waiting and sends another request.
   */
  loseNext(): void;
  readonly isHolding: boolean;
}

/** Forwards the connections of a client to the server on this port. */
export async function startLosingProxy(port: number, cleanUp: CleanUp): Promise<LosingProxy> {
  let state: "open" | "armed" | "holding" = "open";
  const pairs: (readonly [Socket, Socket])[] = [];
  const inspect = (text: string): void => {
    if (state === "holding" && text.includes(REQUEST)) {
      state = "open";
      for (const [, server] of pairs) server.resume();
    }
    if (state !== "armed" || !text.includes(WRITE)) return;
    state = "holding";
    for (const [, server] of pairs) server.pause();
  };
  const proxy = createServer((client) => {
    const server = connect(port, "127.0.0.1");
    pairs.push([client, server]);
    client.on("data", (chunk) => {
      inspect(chunk.toString("latin1"));
      server.write(chunk);
    });
    server.on("data", (chunk) => client.write(chunk));
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      one.on("error", () => other.destroy()).on("close", () => other.destroy());
    }
  });
  await once(proxy.listen(0, "127.0.0.1"), "listening");
  cleanUp(async () => {
    for (const pair of pairs) for (const socket of pair) socket.destroy();
    proxy.close();
  });
  return {
    url: `nats://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    loseNext() {
      state = "armed";
    },
    get isHolding() {
      return state === "holding";
    },
  };
}
