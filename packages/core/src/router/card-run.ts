import { buildRequest, lookupValue } from "../cards/index.ts";
import type {
  CardRequest,
  CardRouteName,
  CardScope,
  LookupRequest,
  PreparedCard,
} from "../cards/index.ts";
import { errorFromUnknown } from "../envelope/index.ts";
import { askLookups } from "./ask-lookups.ts";
import { scopeFor, senderFor } from "./card-kit.ts";
import type { CardKit } from "./card-kit.ts";
import { afterRequests, requestCount } from "./request-count.ts";
import { attemptWithKey, withKey } from "./key-header.ts";
import { mapAnswer } from "./map-answer.ts";
import type { RoutedRequest } from "./routed-operation.ts";
import type { Attempt, RouteAnswer } from "./route.ts";
import { SendBatch } from "./send-batch.ts";
import type { BatchMember } from "./send-batch.ts";

/**
 * The position of lookups in a batch. It is the same for all, because lookups of one call have
 * no order.
 */
const PLACE = { index: 0 };

/** If anything fails before the write is sent, the write was not applied. */
async function beforeSending<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    throw errorFromUnknown(thrown).with({ outcome: "not_applied" }, { cause: thrown });
  }
}

function sumOptional(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? undefined : one + other;
}

/**
 * One attempt on one route of a card: sends the lookups and the request, and counts the requests.
 */
export class CardRun {
  readonly #card: PreparedCard;
  readonly #kit: CardKit;
  readonly #route: CardRouteName;
  readonly #attempt: Attempt;
  /** Merges the lookups of this call if the call is not part of a batch. */
  #together: SendBatch | undefined;
  /** `#requests` counts finished requests, `#underWay` those without a response. */
  #requests = 0;
  #underWay = 0;
  /** Bytes of all responses. Undefined as soon as one size is unknown. */
  #bytes: number | undefined = 0;
  /** Warnings of lookups. They are reported with the warnings of the call. */
  readonly #warnings = new Set<string>();

  constructor(card: PreparedCard, kit: CardKit, route: CardRouteName, attempt: Attempt) {
    this.#card = card;
    this.#kit = kit;
    this.#route = route;
    this.#attempt = attempt;
  }

  async run(request: RoutedRequest): Promise<RouteAnswer> {
    try {
      const scope = await beforeSending(() => this.#lookups(request));
      const answer = await this.#sendFull(scope, request.batch);
      return mapAnswer(this.#card, this.#route, scope, this.#withTotals(answer));
    } catch (thrown) {
      throw afterRequests(thrown, this.#requests + this.#underWay);
    }
  }

  #withTotals(answer: RouteAnswer): RouteAnswer {
    const upstreamRequests = this.#requests;
    const rawBytes = this.#bytes;
    const response = this.#withWarnings(answer.response);
    return { ...answer, response, upstreamRequests, ...(rawBytes !== undefined && { rawBytes }) };
  }

  #withWarnings(response: RouteAnswer["response"]): RouteAnswer["response"] {
    if (this.#warnings.size === 0) return response;
    const warnings = [...new Set([...this.#warnings, ...(response.meta.warnings ?? [])])];
    return { ...response, meta: { ...response.meta, warnings } };
  }

  #sendFull(scope: CardScope, batch: BatchMember | undefined): Promise<RouteAnswer> {
    const built = buildRequest(this.#card, this.#route, scope);
    const full = withKey(this.#card, built, this.#attempt.idempotencyKey);
    return this.#send(full, attemptWithKey(this.#card, full, this.#attempt), batch);
  }

  /**
   * Sends the lookups of the request. If the call is part of a chain, they are sent in the
   * chain's batch.
   */
  #lookups({ batch, ...request }: RoutedRequest): Promise<CardScope> {
    return askLookups(this.#card, this.#route, scopeFor(this.#kit, request), {
      travelTogether: (lookups) => this.#travelTogether(lookups),
      ask: async (lookup, known, isAlone) => {
        const read = ({ response }: RouteAnswer): unknown => {
          for (const warning of response.meta.warnings ?? []) this.#warnings.add(warning);
          return lookupValue(this.#card, lookup, response.data, known);
        };
        const share = (member: BatchMember): Promise<unknown> => {
          const ask = (): Promise<RouteAnswer> => this.#askOne(lookup, member);
          const route = this.#sender(lookup.request);
          return member.lookup({ route, key: lookup.key, ask, read });
        };
        if (batch !== undefined) return share(batch);
        if (isAlone) return read(await this.#askOne(lookup));
        return (this.#together ??= new SendBatch()).join(PLACE, share);
      },
    });
  }

  #travelTogether(lookups: readonly LookupRequest[]): boolean {
    const requests = lookups.map(({ request }) => request);
    const sender = requests[0] && this.#sender(requests[0]);
    return sender?.canSendTogether?.(requests) === true;
  }

  #askOne({ request }: LookupRequest, member?: BatchMember): Promise<RouteAnswer> {
    // The attempt is copied only here, because copying it creates the signal, which is expensive.
    const asking = { ...this.#attempt, effect: "read", isRepeatable: true } as const;
    return this.#send(request, asking, member);
  }

  /** Counts failed requests too, because the call may continue: the lookup may be optional. */
  async #send(
    request: CardRequest,
    attempt: Attempt,
    batch: BatchMember | undefined,
  ): Promise<RouteAnswer> {
    this.#underWay += 1;
    try {
      const sender = this.#sender(request);
      const sent = batch?.send(sender, request, attempt) ?? sender.send(request, attempt);
      const answer = await sent;
      this.#requests += answer.upstreamRequests;
      this.#bytes = sumOptional(this.#bytes, answer.rawBytes);
      return answer;
    } catch (thrown) {
      this.#requests += requestCount(errorFromUnknown(thrown));
      throw thrown;
    } finally {
      this.#underWay -= 1;
    }
  }

  #sender(request: CardRequest): ReturnType<typeof senderFor> {
    return senderFor(this.#kit, this.#card, this.#route, request);
  }
}
