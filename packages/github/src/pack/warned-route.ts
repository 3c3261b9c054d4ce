import type { Attempt } from "@waybill/core";
import type { CardRequest, CardRoute, RouteAnswer } from "@waybill/core/cards";

/** Returns warnings about an answer. `ask` sends another request if one is needed. */
export type WarningsFor = (
  answer: RouteAnswer,
  request: CardRequest,
  ask: (request: CardRequest) => Promise<RouteAnswer>,
) => Promise<readonly string[]>;

type Ask = Parameters<WarningsFor>[2];

async function warned(
  answer: RouteAnswer,
  request: CardRequest,
  ask: Ask,
  warningsFor: WarningsFor,
): Promise<RouteAnswer> {
  const more = await warningsFor(answer, request, ask);
  if (more.length === 0) return answer;
  const { response } = answer;
  const warnings = [...(response.meta.warnings ?? []), ...more];
  return { ...answer, response: { ...response, meta: { ...response.meta, warnings } } };
}

/** A route that adds warnings to its answers. */
export function warnedRoute(route: CardRoute, warningsFor: WarningsFor): CardRoute {
  const asker =
    (attempt: Attempt): Ask =>
    (request) =>
      route.send(request, { ...attempt, effect: "read", isRepeatable: true });
  const alone: CardRoute = {
    route: route.route,
    needs: route.needs,
    describe: (request) => route.describe(request),
    send: async (request, attempt) =>
      warned(await route.send(request, attempt), request, asker(attempt), warningsFor),
  };
  if (route.sendTogether === undefined) return alone;
  return {
    ...alone,
    canSendTogether: (requests) => route.canSendTogether?.(requests) ?? true,
    async sendTogether(requests, attempt) {
      const answers = (await route.sendTogether?.(requests, attempt)) ?? [];
      return Promise.all(
        answers.map(async (each, index) =>
          each instanceof Error
            ? each
            : warned(each, requests[index]!, asker(attempt), warningsFor),
        ),
      );
    },
  };
}
