// Calls through the front of a deployment while its parts are restarted and killed.
import { Agent, request } from "node:https";
import { json } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import type { ResultEnvelope } from "@waybill/core";
import type { Topology } from "./topology.ts";

const LANES = 6;
const PAUSE_MS = 30;
const SETTLE_MS = 1_000;
/**
 * How long to wait before the next server is killed. The restarted one must catch up first, because
 * a majority must be running.
 */
const CATCH_UP_MS = 4_000;
const HELLO = { owner: "octo", name: "hello" };

export interface LoadReport {
  readonly reads: number;
  readonly writes: number;
  /** Calls that failed, with their errors. */
  readonly failed: readonly string[];
  /** The number of issues that callers created. */
  readonly created: number;
  /**
   * Issues whose title already existed. Every call uses a new title, so such an issue was created
   * twice.
   */
  readonly doubled: number;
  readonly seconds: number;
}

type Step = readonly [name: string, run: () => Promise<void>];

/** One caller, who sends each call once. */
export class LoadCaller {
  readonly #topology: Topology;
  readonly #agent: Agent;
  readonly #token: string;

  constructor(topology: Topology, token: string) {
    this.#topology = topology;
    this.#token = token;
    this.#agent = new Agent({ ca: topology.ca, keepAlive: true });
  }

  close(): void {
    this.#agent.destroy();
  }

  call(id: string, params: object, key?: string): Promise<ResultEnvelope> {
    const headers = {
      authorization: `Bearer ${this.#token}`,
      "content-type": "application/json",
      ...(key !== undefined && { "idempotency-key": key }),
    };
    return new Promise((resolve, reject) => {
      const url = `${this.#topology.url}/v1/execute/${id}`;
      const sent = request(url, { method: "POST", headers, agent: this.#agent }, (answer) => {
        (json(answer) as Promise<ResultEnvelope>).then(resolve, reject);
      });
      sent.once("error", reject);
      sent.end(JSON.stringify({ params }));
    });
  }
}

/** Restarts every member in turn, then kills some servers, one after the other. */
export function rollingRestart({ workers, gateways, servers }: Topology, kills: number): Step[] {
  const restarts = [...workers, ...gateways].map((member): Step => [
    `restart ${member.name}`,
    async () => {
      await member.stop();
      await member.start();
    },
  ]);
  const killed = servers.slice(0, kills).map((server): Step => [
    `kill the NATS server at ${server.url}`,
    async () => {
      await server.stop("SIGKILL");
      await delay(SETTLE_MS);
      await server.start();
      await delay(CATCH_UP_MS);
    },
  ]);
  return [...restarts, ...killed];
}

/** Reads and keyed writes without a pause, until all steps are done. */
export async function runLoad(topology: Topology, steps: readonly Step[]): Promise<LoadReport> {
  const started = performance.now();
  const caller = new LoadCaller(topology, await topology.provider.sign({ sub: "load" }));
  const failed: string[] = [];
  const counts = { read: 0, write: 0 };
  let now = "start";
  const over = new AbortController();
  const running = new Set<Promise<void>>();
  const once = async (what: "read" | "write", call: Promise<ResultEnvelope>): Promise<void> => {
    const during = now;
    const told = await call.then(
      ({ ok, error }) => (ok ? undefined : JSON.stringify(error)),
      (error: unknown) => String(error),
    );
    counts[what] += 1;
    if (told !== undefined) failed.push(`${what} during ${during}: ${told}`);
  };
  const track = async (call: Promise<void>): Promise<void> => {
    running.add(call);
    await call;
    running.delete(call);
  };
  const lane = async (name: number): Promise<void> => {
    for (let turn = 0; !over.signal.aborted; turn++) {
      const key = `load-${name}-${turn}`;
      await track(once("read", caller.call("team.repo.view", HELLO)));
      const params = { ...HELLO, title: key };
      await track(once("write", caller.call("team.issue.create", params, key)));
      await delay(PAUSE_MS);
    }
  };
  const lanes = Promise.all(Array.from({ length: LANES }, (_, name) => lane(name)));
  try {
    for (const [name, run] of steps) {
      now = name;
      await run();
      await delay(SETTLE_MS);
      // The deployment withstands one fault at a time, so calls that met this one must end first.
      await Promise.all(running);
    }
  } finally {
    over.abort();
    await lanes;
    caller.close();
  }
  return {
    reads: counts.read,
    writes: counts.write,
    failed,
    created: topology.created.length,
    doubled: topology.created.length - new Set(topology.created).size,
    seconds: (performance.now() - started) / 1_000,
  };
}
