// The faults that are planned for the requests of one run, and the faults that happened.
import { AsyncLocalStorage } from "node:async_hooks";
import type { HttpAttempt, HttpRequest, HttpTransport } from "@waybill/adapters/http";
import { findMeaning } from "./faults.ts";
import type { Act, Carrier, Face, Fault, Meaning } from "./faults.ts";
import type { PlannedFaults } from "./plan.ts";
import { FAULT_HEADER } from "./upstream.ts";
import type { Upstream } from "./upstream.ts";

/** A fault that happened to a request. The text of the request identifies the call. */
export interface Met {
  readonly fault: Fault;
  readonly meaning: Meaning;
  readonly request: string;
  /** When the request was sent, by the clock of this process. */
  readonly at: number;
}

/** The role of a request: the call itself, a lookup, or a probe afterwards. */
type Role = "call" | "lookup" | "probe";

/** A request about to be sent. */
export interface Sending {
  readonly face: Face;
  readonly carrier: Carrier;
  readonly isRead: boolean;
  /** URL and body, which identify the call. */
  readonly text: string;
}

const SHORT_MS = 200;

export class Trail {
  readonly met: Met[] = [];
  /** When a probe ran, by the text of the request. */
  readonly probes: { readonly request: string; readonly at: number }[] = [];
  failedProbes = 0;
  readonly controller: AbortController = new AbortController();
  readonly #isWrite: boolean;
  readonly #left: Readonly<Record<Role, Fault[]>>;
  /** The fault that stops the call before it is sent. */
  readonly #before: (Act & { at: "call" }) | undefined;

  constructor(isWrite: boolean, faults: PlannedFaults) {
    this.#isWrite = isWrite;
    const { probeFaults, lookupFaults } = faults;
    this.#left = { call: [...faults.faults], lookup: [...lookupFaults], probe: [...probeFaults] };
    const { act } = faults.fault;
    this.#before = act.at === "call" ? act : undefined;
  }

  /** The fault for this request. Faults that do not apply to it are skipped. */
  next(sending: Sending): Fault | undefined {
    const { face, carrier, text: request } = sending;
    const at = performance.now();
    const role = this.#roleOf(sending);
    if (role === "probe") this.probes.push({ request, at });
    const faults = this.#left[role];
    let fault = faults.shift();
    while (fault !== undefined && findMeaning(fault, face, carrier) === undefined)
      fault = faults.shift();
    if (fault === undefined) return undefined;
    if (role === "probe") this.failedProbes += 1;
    else this.met.push({ fault, meaning: this.#meaning(fault, role, sending), request, at });
    return fault;
  }

  /** If the plan has a fault for preflight or the token: never returns, or throws. Else returns. */
  async ready(what: "preflight" | "token"): Promise<void> {
    if (this.#before?.how !== what) return;
    if (this.#before.until === "deadline") await new Promise(() => {});
    throw new Error(`no ${what} today`);
  }

  #roleOf({ isRead, text }: Sending): Role {
    if (!this.#isWrite || !isRead) return "call";
    return /\/lookups\/|shelfOf/u.test(text) ? "lookup" : "probe";
  }

  /** Whatever happens to a lookup, the write itself was not sent, so nothing is applied. */
  #meaning(fault: Fault, role: Role, { face, carrier }: Sending): Meaning {
    const meaning = findMeaning(fault, face, carrier)!;
    return role === "lookup" && meaning !== "fine" ? "not_applied" : meaning;
  }
}

const trails = new AsyncLocalStorage<Trail>();

/** The next fault for a request in the running call, if any. */
export function nextFault(sending: Sending): Fault | undefined {
  const trail = trails.getStore();
  const fault = trail?.next(sending);
  if (trail !== undefined && fault !== undefined) cancelSoon(fault, trail);
  return fault;
}

/** The fault of a lookup, before anything is sent. */
export async function getReady(what: "preflight" | "token"): Promise<void> {
  await trails.getStore()?.ready(what);
}

/** Runs `work`. All requests that it sends use the faults of this trail. */
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

/** The real transport with the faults of the trail. */
export function faultyTransport(real: HttpTransport, upstream: Upstream): HttpTransport {
  return {
    send(request: HttpRequest, attempt: HttpAttempt) {
      const url = String(request.url);
      const fault = nextFault({
        face: url.endsWith("/graphql") ? "graphql" : "rest",
        carrier: "http",
        isRead: attempt.effect === "read",
        text: `${url} ${String(request.body)}`,
      });
      return real.send(fault === undefined ? request : faulty(request, fault, upstream), attempt);
    },
    stream: (request, attempt) => real.stream(request, attempt),
    get openSockets() {
      return real.openSockets;
    },
    close: () => real.close(),
  };
}
