import type { CardRoute, RouteAnswer } from "@waybill/core/cards";

/** What a reader should know about an answer; usually nothing. */
export type WarningsFor = (answer: RouteAnswer) => readonly string[];

function warned(answer: RouteAnswer, warningsFor: WarningsFor): RouteAnswer {
  const more = warningsFor(answer);
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
    send: async (request, attempt) => warned(await route.send(request, attempt), warningsFor),
  };
  if (route.sendTogether === undefined) return alone;
  return {
    ...alone,
    canSendTogether: (requests) => route.canSendTogether?.(requests) ?? true,
    async sendTogether(requests, attempt) {
      const answers = (await route.sendTogether?.(requests, attempt)) ?? [];
      return answers.map((each) => (each instanceof Error ? each : warned(each, warningsFor)));
    },
  };
}
