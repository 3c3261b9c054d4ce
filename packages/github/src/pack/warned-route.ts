import type { CardRoute, RouteAnswer } from "@waybill/core";

function warned(answer: RouteAnswer, warning: string): RouteAnswer {
  const { response } = answer;
  const warnings = [...(response.meta.warnings ?? []), warning];
  return { ...answer, response: { ...response, meta: { ...response.meta, warnings } } };
}

/** A route whose every answer says this. */
export function warnedRoute(route: CardRoute, warning: string): CardRoute {
  const alone: CardRoute = {
    route: route.route,
    needs: route.needs,
    describe: (request) => route.describe(request),
    send: async (request, attempt) => warned(await route.send(request, attempt), warning),
  };
  if (route.sendTogether === undefined) return alone;
  return {
    ...alone,
    canSendTogether: (requests) => route.canSendTogether?.(requests) ?? true,
    async sendTogether(requests, attempt) {
      const answers = (await route.sendTogether?.(requests, attempt)) ?? [];
      return answers.map((each) => (each instanceof Error ? each : warned(each, warning)));
    },
  };
}
