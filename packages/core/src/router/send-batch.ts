import type { CardRequest } from "../cards/index.ts";
import { errorCodeOf, errorFromUnknown } from "../envelope/index.ts";
import type { ErrorCode } from "../envelope/index.ts";
import type { Attempt, CardRoute, RouteAnswer } from "./route.ts";

interface Waiting {
  /** The place of its call among the others. */
  readonly place: number;
  readonly route: CardRoute;
  readonly request: CardRequest;
  readonly attempt: Attempt;
  readonly resolve: (answer: RouteAnswer) => void;
  readonly reject: (error: unknown) => void;
}

/** How long a request waits for calls that are busy with something else. */
const PATIENCE_MS = 20;

function isWrite({ attempt }: Waiting): boolean {
  return attempt.effect !== "read";
}

/** Several attempts as one: as careful as the most careful of them. */
function joined(waiting: readonly Waiting[]): Attempt {
  const [first] = waiting;
  const writes = waiting.filter(isWrite);
  return {
    ...first!.attempt,
    effect: writes.length > 0 ? "write" : "read",
    isRepeatable: waiting.every(({ attempt }) => attempt.isRepeatable),
    beforeSend: async () => {
      for (const { attempt } of writes) await attempt.beforeSend();
    },
  };
}

async function sendAlone({ route, request, attempt, resolve, reject }: Waiting): Promise<void> {
  try {
    resolve(await route.send(request, attempt));
  } catch (error) {
    reject(error);
  }
}

/** Writes one after the other, in their order; reads side by side. */
async function sendSingly(waiting: readonly Waiting[]): Promise<void> {
  if (!waiting.some(isWrite)) {
    await Promise.all(waiting.map(sendAlone));
    return;
  }
  for (const each of waiting) await sendAlone(each);
}

/** Failures that each part would meet again, and make worse by coming one by one. */
const NOT_OF_THE_DOCUMENT: ReadonlySet<ErrorCode> = new Set([
  "AUTH",
  "CANCELLED",
  "NETWORK",
  "RATE_LIMIT",
]);

/** What was rejected as a whole was not done, and reads do no harm: both may be sent again singly. */
function maySendSingly(waiting: readonly Waiting[], thrown: unknown): boolean {
  const error = errorFromUnknown(thrown);
  if (NOT_OF_THE_DOCUMENT.has(errorCodeOf(error))) return false;
  return error.details.outcome === "not_applied" || !waiting.some(isWrite);
}

async function sendTogether(route: CardRoute, waiting: readonly Waiting[]): Promise<void> {
  try {
    const requests = waiting.map(({ request }) => request);
    const answers = await route.sendTogether!(requests, joined(waiting));
    answers.forEach((answer, index) => {
      const { resolve, reject } = waiting[index]!;
      if (answer instanceof Error) reject(answer);
      else resolve(answer);
    });
  } catch (thrown) {
    if (maySendSingly(waiting, thrown)) await sendSingly(waiting);
    else for (const { reject } of waiting) reject(thrown);
  }
}

/** What one call of a batch sends through. */
export interface BatchMember {
  /** Sends, together with others where the route can. */
  send(route: CardRoute, request: CardRequest, attempt: Attempt): Promise<RouteAnswer>;
  /** Asks once for what several calls need. What failed, or was not there, is asked again. */
  lookup(key: string, ask: () => Promise<unknown>): Promise<unknown>;
}

/**
 * Lets calls that run side by side travel together. A request waits until every call of the batch
 * is waiting for something, so that what can be merged has gathered; then all are sent at once.
 */
export class SendBatch {
  readonly #lookups = new Map<string, Promise<unknown>>();
  readonly #mergesWrites: boolean;
  #queue: Waiting[] = [];
  #calls = 0;
  #blocked = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(mergesWrites: boolean) {
    this.#mergesWrites = mergesWrites;
  }

  /** Runs a call as one of the batch. */
  async join<T>(place: number, call: (member: BatchMember) => Promise<T>): Promise<T> {
    this.#calls += 1;
    try {
      // All that are started together have joined before the first of them sends.
      await Promise.resolve();
      return await call({
        send: (route, request, attempt) => this.#send(place, route, request, attempt),
        lookup: (key, ask) => this.#lookup(key, ask),
      });
    } finally {
      this.#calls -= 1;
      this.#flushIfAllWait();
    }
  }

  #send(
    place: number,
    route: CardRoute,
    request: CardRequest,
    attempt: Attempt,
  ): Promise<RouteAnswer> {
    const isQueued =
      attempt.effect === "read" ? route.sendTogether !== undefined : this.#mergesWrites;
    if (!isQueued) return route.send(request, attempt);
    const answer = new Promise<RouteAnswer>((resolve, reject) => {
      this.#queue.push({ place, route, request, attempt, resolve, reject });
    });
    this.#timer ??= setTimeout(() => this.#flush(), PATIENCE_MS);
    return this.#wait(answer);
  }

  #lookup(key: string, ask: () => Promise<unknown>): Promise<unknown> {
    const known = this.#lookups.get(key);
    if (known !== undefined) return this.#wait(known);
    const asked = ask();
    this.#lookups.set(key, asked);
    const forget = (): boolean => this.#lookups.delete(key);
    asked.then((value) => (value === null || value === undefined) && forget(), forget);
    return asked;
  }

  async #wait<T>(promise: Promise<T>): Promise<T> {
    this.#blocked += 1;
    this.#flushIfAllWait();
    try {
      return await promise;
    } finally {
      this.#blocked -= 1;
    }
  }

  #flushIfAllWait(): void {
    if (this.#queue.length > 0 && this.#blocked >= this.#calls) this.#flush();
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const byRoute = new Map<CardRoute, Waiting[]>();
    for (const waiting of this.#queue.toSorted((a, b) => a.place - b.place)) {
      byRoute.set(waiting.route, [...(byRoute.get(waiting.route) ?? []), waiting]);
    }
    this.#queue = [];
    for (const [route, group] of byRoute) this.#sendGroup(route, group);
  }

  /** Reads and writes do not mix: a document is a query or a mutation. */
  #sendGroup(route: CardRoute, group: readonly Waiting[]): void {
    const kinds = [group.filter(isWrite), group.filter((waiting) => !isWrite(waiting))];
    for (const same of kinds) {
      const requests = same.map(({ request }) => request);
      const canMerge = same.length > 1 && route.canSendTogether?.(requests) === true;
      if (canMerge) void sendTogether(route, same);
      else void sendSingly(same);
    }
  }
}
