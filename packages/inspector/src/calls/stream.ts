import type { CallSummary, CallsEvent, HelloEvent } from "@waybill/server";
import { request } from "../api/ask.ts";
import { comebacks, lost } from "../api/connection.ts";
import { EventReader } from "./event-reader.ts";
import type { ServerEvent } from "./event-reader.ts";

/**
 * The server sends something every 15 seconds. After this silence the connection counts as lost.
 */
const SILENCE_MS = 40_000;
const WAITS_MS = [250, 500, 1_000, 2_000, 4_000, 8_000];
const REFUSED_MS = 5_000;

export interface StreamListener {
  /**
   * The number of the last known call, read at every connection. The server sends the calls after
   * it.
   */
  readonly after: () => number;
  readonly hello: (hello: HelloEvent) => void;
  readonly calls: (calls: readonly CallSummary[]) => void;
}

/** Follows the calls until the signal is aborted, and reconnects if necessary. */
export async function follow(
  filters: URLSearchParams,
  listener: StreamListener,
  signal: AbortSignal,
): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    await whenVisible(signal);
    if (signal.aborted) return;
    const hiding = untilHidden();
    let end: End = "lost";
    try {
      end = await followOnce(filters, listener, signal, hiding.signal);
      if (end === "heard") failures = 0;
      if (end !== "refused" && !signal.aborted) lost();
    } catch {
      // The banner already tells the user that the server is gone, so this only waits.
    } finally {
      hiding.leave();
    }
    if (hiding.signal.aborted) continue;
    const ms = WAITS_MS[Math.min(failures, WAITS_MS.length - 1)] ?? 0;
    await (end === "refused" ? wait(REFUSED_MS, signal) : pause(ms, signal));
    failures += 1;
  }
}

/**
 * How the connection ended. `refused`: the server answered with an error, so the page tries again
 * later.
 */
type End = "heard" | "lost" | "refused";

/** Returns how the connection ended. */
async function followOnce(
  filters: URLSearchParams,
  listener: StreamListener,
  signal: AbortSignal,
  hidden: AbortSignal,
): Promise<End> {
  const query = new URLSearchParams([...filters, ["after", String(listener.after())]]);
  const silence = new AbortController();
  const either = AbortSignal.any([signal, silence.signal, hidden]);
  const response = await request(`/v1/inspect/events?${query.toString()}`, { signal: either });
  if (!response.ok || response.body === null) return "refused";
  const reader = new EventReader();
  let heard = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const pieces = response.body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (;;) {
      timer = setTimeout(() => silence.abort(), SILENCE_MS);
      const { done, value } = await pieces.read();
      clearTimeout(timer);
      if (done) return heard ? "heard" : "lost";
      heard = true;
      for (const event of reader.push(value)) notifyListener(event, listener);
    }
  } catch (thrown) {
    if (!signal.aborted && !hidden.aborted) lost();
    throw thrown;
  } finally {
    clearTimeout(timer);
  }
}

function notifyListener({ event, data }: ServerEvent, listener: StreamListener): void {
  if (event === "hello") listener.hello(JSON.parse(data) as HelloEvent);
  if (event === "calls") listener.calls((JSON.parse(data) as CallsEvent).calls);
}

/** Aborts when the page is hidden. */
function untilHidden(): { readonly signal: AbortSignal; leave(): void } {
  const hidden = new AbortController();
  const look = (): void => {
    if (document.hidden) hidden.abort();
  };
  document.addEventListener("visibilitychange", look);
  const leave = (): void => document.removeEventListener("visibilitychange", look);
  return { signal: hidden.signal, leave };
}

/**
 * Waits until the page is visible. A hidden page closes its stream, because browsers allow few
 * connections per server.
 */
function whenVisible(signal: AbortSignal): Promise<void> {
  if (!document.hidden) return Promise.resolve();
  return new Promise((resolve) => {
    const look = (): void => {
      if (document.hidden && !signal.aborted) return;
      document.removeEventListener("visibilitychange", look);
      resolve();
    };
    document.addEventListener("visibilitychange", look);
    signal.addEventListener("abort", look, { once: true });
  });
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
  });
}

/** Waits until the time is over, the server is back, or the signal is aborted. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const before = comebacks.peek();
    const timer = setTimeout(end, ms);
    const leave = comebacks.subscribe((now) => {
      if (now !== before) end();
    });
    signal.addEventListener("abort", end, { once: true });
    function end(): void {
      clearTimeout(timer);
      leave();
      signal.removeEventListener("abort", end);
      resolve();
    }
  });
}
