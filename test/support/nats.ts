import { afterAll, beforeAll } from "vitest";
import { describeWithProgram } from "./programs.ts";
import { startServer } from "./nats-server.ts";
import type { NatsServer } from "./nats-server.ts";

let services = 0;

/** A name that no other test uses. */
export function newService(): string {
  services += 1;
  return `test-${process.pid}-${services}`;
}

/** A suite with one nats-server for all its tests. */
export function describeWithServer(
  suite: (server: () => NatsServer) => void,
  flags?: string[],
): void {
  describeWithProgram("nats-server", () => {
    let server: NatsServer;
    const undo: (() => Promise<void>)[] = [];
    beforeAll(async () => {
      server = await startServer((task) => undo.push(task), flags);
    });
    afterAll(async () => {
      for (const task of undo) await task();
    });
    suite(() => server);
  });
}
