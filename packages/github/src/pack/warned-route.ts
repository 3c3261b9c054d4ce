import type { CardRequest, CardRoute, RouteAnswer } from "@waybill/core/cards";

/** What a reader should know about an answer; usually nothing. */
export type WarningsFor = (answer: RouteAnswer, request: CardRequest) => readonly string[];

function warned(answer: RouteAnswer, request: CardRequest, warningsFor: WarningsFor): RouteAnswer {
  const more = warningsFor(answer, request);
  if (more.length === 0) return answer;
  const { response } = answer;
  const warnings = [...(response.meta.warnings ?? []), ...more];
  return { ...answer, response: { ...response, meta: { ...response.meta, warnings } } };
}

/** A route whose answers come with warnings. */
export function warnedRoute(route: CardRoute, warningsFor: WarningsFor): CardRoute {
  const alone: CardRoute = {
    route: route.route,
    needs: route.needs,
    describe: (request) => route.describe(request),
    send: async (request, attempt) =>
      warned(await route.send(request, attempt), request, warningsFor),
  };
  if (route.sendTogether === undefined) return alone;
  return {
    ...alone,
    canSendTogether: (requests) => route.canSendTogether?.(requests) ?? true,
    async sendTogether(requests, attempt) {
      const answers = (await route.sendTogether?.(requests, attempt)) ?? [];
      return answers.map((each, index) =>
        each instanceof Error ? each : warned(each, requests[index]!, warningsFor),
      );
    },
  };
}
