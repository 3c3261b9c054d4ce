import type { Attempt } from "@waybill/core";
import type { CardRequest, CardRoute, RouteAnswer } from "@waybill/core/cards";

/** A request, the attempt that it belongs to, and a way to send another one. */
interface SentRequest {
  readonly request: CardRequest;
  readonly attempt: Attempt;
  readonly ask: (request: CardRequest) => Promise<RouteAnswer>;
}

/** Returns warnings about an answer. Throws if the answer must not be used. */
export type WarningsFor = (answer: RouteAnswer, sent: SentRequest) => Promise<readonly string[]>;

async function warned(
  answer: RouteAnswer,
  sent: SentRequest,
  warningsFor: WarningsFor,
): Promise<RouteAnswer> {
  const more = await warningsFor(answer, sent);
  if (more.length === 0) return answer;
  const { response } = answer;
  const warnings = [...(response.meta.warnings ?? []), ...more];
  return { ...answer, response: { ...response, meta: { ...response.meta, warnings } } };
}

/** A route that adds warnings to its answers. */
export function warnedRoute(route: CardRoute, warningsFor: WarningsFor): CardRoute {
  const sent = (request: CardRequest, attempt: Attempt): SentRequest => ({
    request,
    attempt,
    ask: (other) => route.send(other, { ...attempt, effect: "read", isRepeatable: true }),
  });
  const alone: CardRoute = {
    route: route.route,
    needs: route.needs,
    describe: (request) => route.describe(request),
    send: async (request, attempt) =>
      warned(await route.send(request, attempt), sent(request, attempt), warningsFor),
  };
  if (route.sendTogether === undefined) return alone;
  return {
    ...alone,
    canSendTogether: (requests) => route.canSendTogether?.(requests) ?? true,
    async sendTogether(requests, attempt) {
      const answers = (await route.sendTogether?.(requests, attempt)) ?? [];
      return Promise.all(
        answers.map(async (each, index) =>
          each instanceof Error ? each : warned(each, sent(requests[index]!, attempt), warningsFor),
        ),
      );
    },
  };
}
