import { createServer } from "node:http";
import type { Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { rm } from "node:fs/promises";
import type { Fault } from "./faults/index.ts";
import { makeCertificates } from "./server/certificate.ts";
import { Github } from "./server/github.ts";
import type { Resource } from "./server/rate-limits.ts";
import { Serving } from "./server/serve.ts";
import type { OnExchange, RequestRecord } from "./server/serve.ts";
import type { Conclusion } from "./store/model.ts";
import { finishRun } from "./store/mutations/runs.ts";
import type { Clock, Store } from "./store/store.ts";
import { octoWorld } from "./world/index.ts";
import type { World } from "./world/index.ts";

export interface EmulatorOptions {
  /** Listen on a Unix socket, which `gh` can use (http_unix_socket in its config.yml). */
  readonly socket?: string;
  /** Listen on a port of 127.0.0.1 (default: 0, which takes a free one). */
  readonly port?: number;
  /** Use TLS with a temporary certificate authority, for enterprise hosts. */
  readonly https?: boolean;
  readonly world?: World;
  readonly clock?: Clock;
  /** Requests per hour for each user, or per minute for searches (default: GitHub's limits). */
  readonly rateLimits?: Partial<Record<Resource, number>>;
  /** Called with the name of each mutation, right after it was applied. */
  readonly onApplied?: (mutation: string, store: Store) => void;
  /** Called with each request and its response, bodies and tokens included. */
  readonly onExchange?: OnExchange;
}

export interface GithubEmulator {
  /** The URL of the API. Over a socket, the URL that clients expect. */
  readonly url: string;
  readonly socketPath: string | undefined;
  /** The value for WAYBILL_GITHUB: the socket's path, or the URL. */
  readonly env: string;
  /** The certificate authority to trust, in PEM, if TLS is used. */
  readonly ca: string | undefined;
  /** All data of the emulator. A reset replaces it. */
  readonly store: Store;
  /** How often each mutation was applied since the start. */
  applied(): Readonly<Record<string, number>>;
  readonly faults: { inject(fault: Fault): void; clear(): void };
  /** The last ten thousand requests, oldest first. */
  readonly requests: readonly RequestRecord[];
  /** Restores the initial world and clears faults and requests. The address stays the same. */
  reset(): void;
  /** Finishes a queued or running workflow run, because the emulator has no runners. */
  finishRun(runId: number, conclusion?: Conclusion): void;
  close(): Promise<void>;
}

const HOST = "127.0.0.1";
const KEEP_ALIVE_MS = 60_000;
const GITHUB_API = "https://api.github.com";

/** Starts a GitHub emulator on this machine. */
export async function startGithubEmulator(options: EmulatorOptions = {}): Promise<GithubEmulator> {
  const { world = octoWorld, clock = () => new Date(), rateLimits = {}, socket } = options;
  const { onApplied } = options;
  const github = new Github({ world, clock, rateLimits, onApplied });
  const serving = new Serving(github, options.onExchange);
  const certificates = options.https === true ? makeCertificates() : undefined;
  const storage = await startStorage(serving);
  const scheme = certificates !== undefined || socket !== undefined ? "https" : "http";
  const handler = serving.handler({ scheme, storage: storage.url });
  const server = certificates ? createTlsServer(certificates, handler) : createServer(handler);
  await listen(server, socket ?? options.port ?? 0);
  const url = socket === undefined ? `${scheme}://${HOST}:${getPort(server)}` : GITHUB_API;
  return {
    url,
    socketPath: socket,
    env: socket ?? url,
    ca: certificates?.ca,
    get store() {
      return github.store;
    },
    applied: () => github.store.applied(),
    faults: {
      inject: (fault) => github.faults.inject(fault),
      clear: () => github.faults.clear(),
    },
    requests: serving.requests,
    reset: () => {
      github.reset();
      serving.requests.length = 0;
    },
    finishRun: (runId, conclusion = "SUCCESS") => endRun(github.store, runId, conclusion),
    close: async () => {
      serving.close();
      await Promise.all([stop(server), stop(storage.server)]);
      if (socket !== undefined) await rm(socket, { force: true });
    },
  };
}

function endRun(store: Store, runId: number, conclusion: Conclusion): void {
  const run = store.repositories.flatMap(({ runs }) => runs).find(({ id }) => id === runId);
  if (run === undefined) throw new RangeError(`There is no workflow run ${runId}`);
  finishRun(store, run, conclusion);
}

/**
 * Serves logs and files on another host, so that tests can check that clients do not send it the
 * token.
 */
async function startStorage(
  serving: Serving,
): Promise<{ readonly server: Server; readonly url: string }> {
  const handler = serving.handler({ scheme: "http", storage: undefined });
  const server = createServer((message, response) => {
    message.headers.host = "storage.githubusercontent.com";
    handler(message, response);
  });
  await listen(server, 0);
  // Uses another host name and not only another port, because `gh` sends its token to every port of
  // a host.
  return { server, url: `http://localhost:${getPort(server)}` };
}

function getPort(server: Server): number {
  return (server.address() as AddressInfo).port;
}

async function listen(server: Server, place: string | number): Promise<void> {
  // Node would close a connection after five idle seconds, which is too short for a busy client.
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    if (typeof place === "string") server.listen(place, resolve);
    else server.listen(place, HOST, resolve);
  });
}

async function stop(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
