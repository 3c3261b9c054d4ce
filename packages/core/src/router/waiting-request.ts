import type { CardRequest } from "../cards/index.ts";
import { agentErrorCode, errorFromUnknown } from "../envelope/index.ts";
import type { ErrorCode } from "../envelope/index.ts";
import { uncounted } from "./request-count.ts";
import type { Attempt, CardRoute, RouteAnswer } from "./route.ts";

/** A request that waits to be sent, alone or with others. */
export interface Waiting {
  /** The position of its call in the batch. */
  readonly place: number;
  /** For a write: the source whose writes keep their order. */
  readonly writesTo: string | undefined;
  readonly route: CardRoute;
  readonly request: CardRequest;
  readonly attempt: Attempt;
  /** Whether the merged request was refused. Then this request is sent alone. */
  readonly isAlone: boolean;
  readonly resolve: (answer: RouteAnswer) => void;
  readonly reject: (error: unknown) => void;
}

export function isWrite({ attempt }: Waiting): boolean {
  return attempt.effect !== "read";
}

/**
 * Whether these requests are writes. Reads and writes are never merged, so the first request
 * decides.
 */
function areWrites([first]: readonly Waiting[]): boolean {
  return isWrite(first!);
}

/** Combines several attempts into one that obeys the strictest of their limits. */
function joinedAttempt(waiting: readonly Waiting[], onSend: () => void): Attempt {
  const [first] = waiting;
  const isWriting = areWrites(waiting);
  return {
    ...first!.attempt,
    effect: isWriting ? "write" : "read",
    isRepeatable: waiting.every(({ attempt }) => attempt.isRepeatable),
    ready: () => Promise.all(waiting.map(async ({ attempt }) => attempt.ready?.())),
    beforeSend: async () => {
      if (isWriting) for (const { attempt } of waiting) await attempt.beforeSend();
      onSend();
    },
  };
}

export async function sendAlone(waiting: Waiting): Promise<void> {
  const { route, request, attempt, resolve, reject } = waiting;
  try {
    resolve(await route.send(request, attempt));
  } catch (error) {
    reject(error);
  }
}

/**
 * Error codes that each request would meet again if it were sent alone. Sending the requests one
 * by one would make it worse.
 */
const NOT_OF_THE_DOCUMENT: ReadonlySet<ErrorCode> = new Set([
  "AUTH",
  "CANCELLED",
  "NETWORK",
  "RATE_LIMIT",
]);

/**
 * Whether the requests may be sent again one by one. If the merged request was rejected as a
 * whole, nothing was applied. Repeating a read is harmless.
 */
function maySendSingly(waiting: readonly Waiting[], thrown: unknown): boolean {
  const error = errorFromUnknown(thrown);
  if (NOT_OF_THE_DOCUMENT.has(agentErrorCode(error))) return false;
  return error.details.outcome === "not_applied" || !areWrites(waiting);
}

/** The refused request is counted with the answer of the first request. */
function afterRefusal(waiting: readonly Waiting[], wasSent: boolean): Waiting[] {
  return waiting.map((each, index) => ({
    ...each,
    isAlone: true,
    resolve: (answer) => {
      const spent = wasSent && index === 0 ? 1 : 0;
      each.resolve({ ...answer, upstreamRequests: answer.upstreamRequests + spent });
    },
  }));
}

/** Rejects all waiting requests. Only one request was sent, so it is counted once. */
function rejectAll(waiting: readonly Waiting[], thrown: unknown): void {
  waiting.forEach(({ reject }, index) => reject(index === 0 ? thrown : uncounted(thrown)));
}

/**
 * Sends the requests as one. If that is refused as a whole, returns the requests to send one by
 * one.
 */
export async function sendTogether(
  route: CardRoute,
  waiting: readonly Waiting[],
): Promise<readonly Waiting[]> {
  let wasSent = !areWrites(waiting);
  const attempt = joinedAttempt(waiting, () => {
    wasSent = true;
  });
  try {
    const requests = waiting.map(({ request }) => request);
    const answers = await route.sendTogether!(requests, attempt);
    answers.forEach((answer, index) => {
      const { resolve, reject } = waiting[index]!;
      if (!(answer instanceof Error)) resolve(answer);
      else reject(index === 0 ? answer : uncounted(answer));
    });
    return [];
  } catch (thrown) {
    if (maySendSingly(waiting, thrown)) return afterRefusal(waiting, wasSent);
    rejectAll(waiting, thrown);
    return [];
  }
}
