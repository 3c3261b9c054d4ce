import type { CardRequest } from "../cards/index.ts";
import { agentErrorCode, errorFromUnknown } from "../envelope/index.ts";
import { uncounted } from "./request-count.ts";
import { MAX_CONCURRENT, runLimited } from "./run-limited.ts";
import type { Attempt, CardRoute, RouteAnswer } from "./route.ts";
import { SharedLookups } from "./shared-lookups.ts";
import type { SharedQuestion } from "./shared-lookups.ts";
import { isWrite, sendAlone, sendTogether } from "./waiting-request.ts";
import type { Waiting } from "./waiting-request.ts";

/** How long a request waits for other calls of the batch that have not sent anything yet. */
const PATIENCE_MS = 20;

/** The position of a call in its batch. */
export interface BatchSlot {
  readonly index: number;
  /**
   * The source of a write that may be merged with others. The writes of one source keep their
   * order.
   */
  readonly writesTo?: string | undefined;
}

/** The sender of one call in a batch. */
export interface BatchMember {
  /** Sends a request, merged with others if the route can. */
  send(route: CardRoute, request: CardRequest, attempt: Attempt): Promise<RouteAnswer>;
  /**
   * Sends a lookup once for all calls that need its value. If it fails or finds nothing, the
   * next caller sends it again. The same caller repeats an empty lookup after the earlier writes
   * have ended.
   */
  lookup<T>(question: SharedQuestion<T>): Promise<T>;
}

/** One running call of the batch. */
interface Joined extends BatchSlot {
  /** The number of requests and lookups that the call waits for. It may send several at once. */
  waits: number;
}

function nullIfNotFound(thrown: unknown): null {
  if (agentErrorCode(errorFromUnknown(thrown)) === "NOT_FOUND") return null;
  throw thrown;
}

function groupBy(waiting: readonly Waiting[], key: (each: Waiting) => unknown): Waiting[][] {
  const groups = new Map<unknown, Waiting[]>();
  for (const each of waiting) groups.set(key(each), [...(groups.get(key(each)) ?? []), each]);
  return [...groups.values()];
}

/** The longest run of writes, starting with the first, that can be sent as one request. */
function getLeaders(writes: readonly Waiting[]): Waiting[] {
  const { route } = writes[0]!;
  const other = writes.findIndex((each) => each.route !== route || each.isAlone);
  const leaders = other < 0 ? [...writes] : writes.slice(0, Math.max(1, other));
  while (leaders.length > 1 && !canMerge(leaders)) leaders.pop();
  return leaders;
}

/**
 * Splits the requests into as few groups as possible. Each group can be sent as one request; the
 * last group has the requests that must be sent alone.
 */
function mergeable(waiting: readonly Waiting[]): Waiting[][] {
  if (waiting.length < 2 || canMerge(waiting)) return [[...waiting]];
  const groups: Waiting[][] = [];
  for (const each of waiting) {
    const last = groups.at(-1);
    if (last !== undefined && canMerge([...last, each])) last.push(each);
    else groups.push([each]);
  }
  const alone = groups.filter(({ length }) => length === 1).flat();
  return [...groups.filter(({ length }) => length > 1), alone].filter(({ length }) => length > 0);
}

function canMerge(waiting: readonly Waiting[]): boolean {
  const requests = waiting.map(({ request }) => request);
  return waiting.length > 1 && waiting[0]!.route.canSendTogether?.(requests) === true;
}

/**
 * Merges the requests of concurrent calls. A request waits until every call of the batch is
 * waiting, so that all requests that can be merged are known. A write waits until the earlier
 * writes of its source have ended or are sent with it.
 */
export class SendBatch {
  readonly #lookups = new SharedLookups();
  /**
   * The unfinished writes of each source, by position, with promises that resolve when they end.
   */
  readonly #writers = new Map<string, Map<number, Promise<void>>>();
  readonly #listeners = new Map<AbortSignal, () => void>();
  #queue: Waiting[] = [];
  #calls = 0;
  /** How many calls are waiting. */
  #blocked = 0;
  #isDue = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Runs a call as a member of the batch. */
  async join<T>(place: BatchSlot, call: (member: BatchMember) => Promise<T>): Promise<T> {
    this.#calls += 1;
    const writers = this.#writersOf(place);
    let end!: () => void;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    writers.set(place.index, ended);
    const joined: Joined = { ...place, waits: 0 };
    try {
      // Waits for a tick, so that all calls that start together have joined before the first one
      // sends.
      await Promise.resolve();
      return await call({
        send: (route, request, attempt) => this.#send(joined, route, request, attempt),
        lookup: (question) => this.#lookup(joined, question),
      });
    } finally {
      this.#calls -= 1;
      writers.delete(place.index);
      end();
      this.#flushSoon();
    }
  }

  #writersOf({ writesTo }: BatchSlot): Map<number, Promise<void>> {
    if (writesTo === undefined) return new Map();
    const writers = this.#writers.get(writesTo) ?? new Map<number, Promise<void>>();
    this.#writers.set(writesTo, writers);
    return writers;
  }

  /**
   * An earlier write may create the missing object, so the lookup is repeated after those writes.
   */
  async #lookup<T>(place: Joined, question: SharedQuestion<T>): Promise<T> {
    const ask = (): Promise<T> => this.#lookups.ask(question, (work) => this.#wait(place, work));
    const earlier = [...this.#writersOf(place)].filter(([index]) => index < place.index);
    if (earlier.length === 0) return ask();
    const value = await ask().catch(nullIfNotFound);
    if (value !== null && value !== undefined) return value;
    await this.#wait(place, Promise.all(earlier.map(([, ended]) => ended)));
    return ask();
  }

  #send(
    joined: Joined,
    route: CardRoute,
    request: CardRequest,
    attempt: Attempt,
  ): Promise<RouteAnswer> {
    const { index, writesTo } = joined;
    const isRead = attempt.effect === "read";
    const isQueued = isRead ? route.sendTogether !== undefined : writesTo !== undefined;
    if (!isQueued) return route.send(request, attempt);
    const answer = new Promise<RouteAnswer>((resolve, reject) => {
      const place = { place: index, writesTo: isRead ? undefined : writesTo, isAlone: false };
      this.#enqueue({ ...place, route, request, attempt, resolve, reject });
    });
    return this.#wait(joined, answer);
  }

  #enqueue(waiting: Waiting): void {
    const { signal } = waiting.attempt;
    this.#queue.push(waiting);
    if (signal.aborted) this.#giveUp(waiting, signal.reason);
    else this.#listenTo(signal);
  }

  /** One listener for all waiting requests, because Node warns about a leak at eleven listeners. */
  #listenTo(signal: AbortSignal): void {
    if (this.#listeners.has(signal)) return;
    const onAbort = (): void => {
      const waiting = this.#queue.filter(({ attempt }) => attempt.signal === signal);
      for (const each of waiting) this.#giveUp(each, signal.reason);
    };
    this.#listeners.set(signal, onAbort);
    signal.addEventListener("abort", onAbort, { once: true });
  }

  /** A request that was sent no longer waits. Its route handles the signal. */
  #stopListening(): void {
    const waiting = new Set(this.#queue.map(({ attempt }) => attempt.signal));
    for (const [signal, onAbort] of this.#listeners) {
      if (waiting.has(signal)) continue;
      signal.removeEventListener("abort", onAbort);
      this.#listeners.delete(signal);
    }
  }

  /**
   * A call that is aborted while it waits has sent nothing, and none of its requests is sent
   * later.
   */
  #giveUp(waiting: Waiting, reason: unknown): void {
    if (!this.#queue.includes(waiting)) return;
    this.#queue = this.#queue.filter((each) => each !== waiting);
    waiting.reject(uncounted(reason, { outcome: "not_applied" }));
  }

  async #wait<T>(joined: Joined, promise: Promise<T>): Promise<T> {
    if (joined.waits++ === 0) this.#blocked += 1;
    this.#flushSoon();
    try {
      return await promise;
    } finally {
      if (--joined.waits === 0) this.#blocked -= 1;
    }
  }

  #flushSoon(): void {
    if (this.#queue.length === 0) return;
    if (this.#blocked >= this.#calls) this.#flushNext();
    else this.#timer ??= setTimeout(() => this.#flush(), PATIENCE_MS);
  }

  /** Deferred, because a call may send several requests and has only added the first one. */
  #flushNext(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    queueMicrotask(() => {
      this.#isDue = false;
      this.#flush();
    });
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const queue = this.#queue.toSorted((a, b) => a.place - b.place);
    const reads = queue.filter((each) => !isWrite(each));
    const groups = [
      ...groupBy(queue.filter(isWrite), ({ writesTo }) => writesTo).map((writes) =>
        this.#leading(writes),
      ),
      ...groupBy(reads, ({ route }) => route).flatMap(mergeable),
    ];
    const leaving = new Set(groups.flat());
    this.#queue = queue.filter((each) => !leaving.has(each));
    this.#stopListening();
    for (const group of groups) void this.#sendGroup(group);
  }

  /**
   * The writes of one source that may be sent now, because no earlier one is waiting or being
   * sent.
   */
  #leading(writes: readonly Waiting[]): Waiting[] {
    const byPlace = new Map(writes.map((each) => [each.place, each]));
    const places = [...(this.#writers.get(writes[0]!.writesTo!)?.keys() ?? [])].toSorted(
      (a, b) => a - b,
    );
    const gap = places.findIndex((place) => !byPlace.has(place));
    const due = (gap < 0 ? places : places.slice(0, gap)).map((place) => byPlace.get(place)!);
    return due.length === 0 ? [] : getLeaders(due);
  }

  async #sendGroup(group: readonly Waiting[]): Promise<void> {
    const [first] = group;
    if (first === undefined) return;
    const isMerged = canMerge(group);
    const single = isMerged ? await sendTogether(first.route, group) : group;
    if (!isMerged || !isWrite(first)) {
      await runLimited(single, MAX_CONCURRENT, sendAlone);
      return;
    }
    for (const each of single) this.#enqueue(each);
    this.#flush();
  }
}
