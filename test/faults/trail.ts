// Which faults the requests of one run meet, and which they met.
import { AsyncLocalStorage } from "node:async_hooks";
import type { HttpAttempt, HttpRequest, HttpTransport } from "@waybill/adapters/http";
import { fits } from "./faults.ts";
import type { Face, Fault, Meaning } from "./faults.ts";
import { FAULT_HEADER } from "./upstream.ts";
import type { Upstream } from "./upstream.ts";

/** A fault that a request met. The text of the request tells whose it was. */
export interface Met {
  readonly fault: Fault;
  readonly meaning: Meaning;
  readonly request: string;
}

const SHORT_MS = 200;

export class Trail {
  readonly met: Met[] = [];
  /** When it was looked whether a write happened, by the text of the request. */
  readonly probes: { readonly request: string; readonly at: number }[] = [];
  failedProbes = 0;
  readonly controller: AbortController = new AbortController();
  readonly #isWrite: boolean;
  readonly #faults: Fault[];
  readonly #probeFaults: Fault[];

  constructor(isWrite: boolean, faults: readonly Fault[], probeFaults: readonly Fault[]) {
    this.#isWrite = isWrite;
    this.#faults = [...faults];
    this.#probeFaults = [...probeFaults];
  }

  /** The fault that this request is to meet. What does not fit its face is passed over. */
  next(face: Face, isRead: boolean, request: string): Fault | undefined {
    const isProbe = this.#isWrite && isRead;
    if (isProbe) this.probes.push({ request, at: performance.now() });
    const faults = isProbe ? this.#probeFaults : this.#faults;
    let fault = faults.shift();
    while (fault !== undefined && !fits(fault, face)) fault = faults.shift();
    if (fault === undefined) return undefined;
    if (isProbe) this.failedProbes += 1;
    else this.met.push({ fault, meaning: fault[face]!, request });
    return fault;
  }
}

const trails = new AsyncLocalStorage<Trail>();

/** Everything sent from within `work` follows this trail. */
export function follow<T>(trail: Trail, work: () => Promise<T>): Promise<T> {
  return trails.run(trail, work);
}

function faulty(request: HttpRequest, fault: Fault, upstream: Upstream): HttpRequest {
  const { act } = fault;
  if (act.at === "connect") return { ...request, url: upstream.misled(request.url, act.to) };
  const headers = { ...request.headers, [FAULT_HEADER]: fault.name };
  const isShort = act.at === "request" && act.how === "silent" && act.until === "limit";
  return { ...request, headers, ...(isShort && { limits: { totalMs: SHORT_MS } }) };
}

function cancelSoon(fault: Fault, { controller }: Trail): void {
  const { act } = fault;
  if (act.at !== "request" || act.how !== "silent" || act.until !== "cancel") return;
  setTimeout(() => controller.abort(), SHORT_MS);
}

/** The real transport, with every request sent into the fault that its trail says. */
export function faultyTransport(real: HttpTransport, upstream: Upstream): HttpTransport {
  return {
    send(request: HttpRequest, attempt: HttpAttempt) {
      const trail = trails.getStore();
      const url = String(request.url);
      const face = url.endsWith("/graphql") ? "graphql" : "rest";
      const text = `${url} ${String(request.body)}`;
      const fault = trail?.next(face, attempt.effect === "read", text);
      if (trail === undefined || fault === undefined) return real.send(request, attempt);
      cancelSoon(fault, trail);
      return real.send(faulty(request, fault, upstream), attempt);
    },
    stream: (request, attempt) => real.stream(request, attempt),
    get openSockets() {
      return real.openSockets;
    },
    close: () => real.close(),
  };
}
