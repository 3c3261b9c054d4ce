import { readProbe, secondProbeRequest } from "../cards/index.ts";
import type {
  CardRequest,
  CardScope,
  PreparedCard,
  ProbeAnswer,
  ProbeRequest,
  VerifyProbe,
} from "../cards/index.ts";
import { agentErrorCode, errorFromUnknown, fail, isRecord } from "../envelope/index.ts";
import type { CallError, Route } from "../envelope/index.ts";
import type { OperationContext } from "../operation/index.ts";
import { factsFor, routeNamed } from "./card-kit.ts";
import type { CardKit } from "./card-kit.ts";
import { now } from "./moment.ts";
import { preflightSkip } from "./preflight.ts";
import { isCounted } from "./request-count.ts";
import type { Attempt, CardRoute, RouteAnswer } from "./route.ts";
import type { Look } from "./match-probe.ts";

/** The parts of a context that are needed to check an outcome. */
export type Looking = Pick<
  OperationContext,
  "look" | "deadline" | "signal" | "identity" | "requestId"
>;

/** The call whose outcome is checked. */
export interface Probed {
  readonly card: PreparedCard;
  readonly scope: CardScope;
  readonly kit: CardKit | undefined;
  readonly context: Looking;
}

/** One check sends at most this many requests. */
const MAX_REQUESTS = 2;

function unexpected(): CallError {
  return fail("SERVER", "The answer is not as expected, so it shows nothing about the write");
}

/**
 * The error for an unexpected answer. A gateway may answer 200 with another content, which must
 * not look like a missing object.
 */
function assertContent(api: ProbeRequest["api"], data: unknown): void {
  const isContent = typeof data === "object" && data !== null;
  const isEmpty = isContent && !Array.isArray(data) && Object.keys(data).length === 0;
  if (api === "rest" && (!isContent || isEmpty)) throw unexpected();
}

/** A card's own read, with the route that sends it. */
interface Carried extends ProbeRequest {
  readonly sender: CardRoute;
}

/** Sends the reads that check an outcome, and counts them. */
export class Prober {
  /** The number of reads so far. */
  reads = 0;
  /** The highest value that `reads` may reach in the current check. */
  #mostReads = 0;
  readonly #probed: Probed;
  readonly #failed = new Set<ProbeRequest["api"]>();

  constructor(probed: Probed) {
    this.#probed = probed;
  }

  /** Reads whether the write was applied. `lostBy` is the route that lost the response. */
  async look(probe: VerifyProbe, deadline?: number, lostBy?: Route): Promise<Look> {
    this.#mostReads = this.reads + MAX_REQUESTS;
    return probe.reads.length === 0
      ? this.#call(probe, deadline)
      : this.#lookByOwnRead(probe, deadline, lostBy);
  }

  /** The caller's name at the upstream, if no earlier answer contained it. */
  async viewer(deadline?: number): Promise<unknown> {
    const { kit, context } = this.#probed;
    const { viewer } = kit ?? {};
    if (viewer === undefined || this.reads >= this.#mostReads) return undefined;
    const sender = viewer.path === undefined ? undefined : await this.#sender("rest");
    if (sender === undefined) {
      this.reads += 1;
      const { data } = await context.look(viewer.capability, {}, deadline);
      return isRecord(data) ? data[viewer.field] : undefined;
    }
    const request = { kind: "rest", method: "GET", path: viewer.path!, query: [], headers: {} };
    const { response } = await this.#send(sender, request as CardRequest, deadline);
    return isRecord(response.data) ? response.data[viewer.field] : undefined;
  }

  /** Calls a capability under the usual policy. Only reads are allowed. */
  async #call({ capability, params }: VerifyProbe, deadline?: number): Promise<Look> {
    const asked = now();
    this.reads += 1;
    const response = await this.#probed.context.look(capability!, params, deadline);
    return { response, asked, answered: now() };
  }

  /**
   * Orders the APIs. The API that lost the response comes late, and an API that failed before
   * comes last. A read with two requests is tried first, because after a failure only one
   * request is left.
   */
  #rank({ api, needsTwo, isFallback }: ProbeRequest, lostBy: Route | undefined): number {
    if (this.#failed.has(api)) return 4;
    if (isFallback) return 3;
    if (needsTwo) return 0;
    return api === lostBy ? 2 : 1;
  }

  async #lookByOwnRead(
    { reads }: VerifyProbe,
    deadline: number | undefined,
    lostBy: Route | undefined,
  ): Promise<Look> {
    const ordered = reads.toSorted((a, b) => this.#rank(a, lostBy) - this.#rank(b, lostBy));
    let last: unknown = fail(
      "NOT_READY",
      "No route that works here can read whether the write was applied",
    );
    for (const [index, read] of ordered.entries()) {
      const sender = await this.#sender(read.api);
      if (sender === undefined || this.reads >= this.#mostReads) continue;
      try {
        const until = this.#shareOfTime(ordered.length - index, deadline);
        return await this.#read({ ...read, sender }, until);
      } catch (thrown) {
        this.#failed.add(read.api);
        last = thrown;
      }
    }
    throw last;
  }

  /** An API gets only a part of the time, so that the others can still be tried. */
  #shareOfTime(reads: number, deadline: number | undefined): number | undefined {
    const until = Math.min(deadline ?? Infinity, this.#probed.context.deadline ?? Infinity);
    const start = Date.now();
    return until === Infinity ? deadline : start + (until - start) / reads;
  }

  /** The route of the API, or the GitHub CLI, which can send requests of both APIs. */
  async #sender(api: ProbeRequest["api"]): Promise<CardRoute | undefined> {
    const { kit } = this.#probed;
    if (kit === undefined) return undefined;
    for (const route of [api, "cli"] as const) {
      const sender = routeNamed(kit, route);
      if (sender === undefined) continue;
      const facts = await factsFor(kit, sender.needs);
      if (preflightSkip({ route }, facts) === undefined) return sender;
    }
    return undefined;
  }

  async #read(
    { api, request, container, sender }: Carried,
    deadline: number | undefined,
  ): Promise<Look> {
    const asked = now();
    const answer = await this.#sendOrMissing(sender, request, deadline);
    const { kind } = this.#probed.card.verify ?? {};
    // For a list, a missing part of the answer may mean that its container is missing.
    const isPlaceMissing = kind === "created" && (answer?.fieldErrors?.length ?? 0) > 0;
    const seen: ProbeAnswer =
      answer === undefined || isPlaceMissing
        ? { value: null }
        : await this.#readAnswer(api, answer.response.data, sender, deadline);
    const isGone = kind === "gone";
    // If the object has its own path, the server answers 404 for a removed one.
    if (isGone && answer !== undefined && seen.value === null && container !== undefined)
      throw unexpected();
    const mustAsk = seen.value === null && container !== undefined && this.reads < this.#mostReads;
    const holder = mustAsk ? await this.#sendOrMissing(sender, container, deadline) : answer;
    const place = mustAsk ? holder !== undefined : (seen.container ?? seen.value !== null);
    const { serverDate, nextCursor } = holder ?? answer ?? {};
    const meta = {
      ...(holder ?? answer)?.response.meta,
      ...(serverDate !== undefined && { serverDate }),
      ...(nextCursor !== undefined && { nextCursor }),
    };
    const response = { data: seen.value, meta } as Look["response"];
    return { response, asked, answered: now(), own: { ...seen, container: place } };
  }

  /** Requests the second path of the card's read, if it has one, and maps both answers. */
  async #readAnswer(
    api: ProbeRequest["api"],
    first: unknown,
    sender: CardRoute,
    deadline: number | undefined,
  ): Promise<ProbeAnswer> {
    const { card, scope } = this.#probed;
    assertContent(api, first);
    const request = secondProbeRequest(card, api, first, scope);
    if (request === undefined) return readProbe(card, api, first, scope);
    if (this.reads >= this.#mostReads)
      throw fail(
        "NOT_READY",
        `More than ${MAX_REQUESTS} requests are needed to find out whether the write was applied`,
      );
    const second = await this.#sendOrMissing(sender, request, deadline);
    return readProbe(card, api, first, scope, second?.response.data);
  }

  /** Returns undefined if the upstream answers that the object does not exist. */
  async #sendOrMissing(
    sender: CardRoute,
    request: CardRequest,
    deadline?: number,
  ): Promise<RouteAnswer | undefined> {
    try {
      const answer = await this.#send(sender, request, deadline);
      const failed = answer.fieldErrors?.find(({ error }) => agentErrorCode(error) !== "NOT_FOUND");
      if (failed !== undefined) throw failed.error;
      return answer;
    } catch (thrown) {
      if (agentErrorCode(errorFromUnknown(thrown)) === "NOT_FOUND") return undefined;
      throw thrown;
    }
  }

  async #send(sender: CardRoute, request: CardRequest, deadline?: number): Promise<RouteAnswer> {
    const { context } = this.#probed;
    const { signal, identity } = context;
    const until = Math.min(deadline ?? Infinity, context.deadline ?? Infinity);
    const attempt: Attempt = {
      effect: "read",
      isRepeatable: true,
      isProbe: true,
      idempotencyKey: undefined,
      identity,
      signal,
      deadline: until === Infinity ? undefined : until,
      beforeSend: async () => {},
    };
    this.reads += 1;
    try {
      return await sender.send(request, attempt);
    } catch (thrown) {
      // A known rate limit prevents sending, so the other API still has both requests.
      if (!isCounted(errorFromUnknown(thrown))) this.reads -= 1;
      throw thrown;
    }
  }
}
