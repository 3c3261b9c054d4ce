import { fail } from "@waybill/core";
import { explainText, sourceText } from "@waybill/core/protocol";
import type { Waybill } from "@waybill/core";
import { json } from "../answers.ts";
import { readMembers } from "../read-body.ts";
import type { Route } from "../routes/route.ts";
import { eventsRoute } from "./events.ts";
import type { InspectorOptions } from "./inspector.ts";
import { briefAnswer } from "./brief-answer.ts";
import { answerFiles, fileRoute } from "./files.ts";
import { callsQuery, totalsQuery } from "./query.ts";
import { sourceViews } from "./source-views.ts";
import type { ApprovalsAnswer, CallDetail, CapabilityView } from "./wire.ts";
import { writtenCall } from "./written-call.ts";

function callRoute({ history, handles }: InspectorOptions): Route {
  return async ({ id }) => {
    const call = await history.call(id);
    if (call === undefined) {
      throw fail("NOT_FOUND", `No call ${id.slice(0, 80)} is stored here`, {
        hint: "It may have been deleted, because only the latest calls are kept. Reload the list",
      });
    }
    const files = handles === undefined ? {} : answerFiles(call);
    return json({
      ...call,
      ...writtenCall(call),
      ...briefAnswer(call),
      ...files,
    } satisfies CallDetail);
  };
}

async function capabilityView(waybill: Waybill, id: string): Promise<CapabilityView> {
  const [explanation, { spec, routes }] = await Promise.all([
    waybill.explain(id),
    waybill.describe(id),
  ]);
  const from = sourceText(explanation);
  return {
    explanation,
    text: explainText(explanation),
    input_schema: spec.inputSchema,
    output_schema: spec.outputSchema,
    effect: spec.effect,
    ...(spec.source !== undefined && { source: spec.source }),
    ...(from !== undefined && { from }),
    routes: routes.map((state, index) => ({ ...state, preferred: index === 0 })),
  };
}

/** Records a person's answer to an approval. Everyone with the token of the page may answer. */
const answerApproval: Route = async (asked) => {
  const { allow } = await readMembers(asked, ["allow"]);
  if (typeof allow !== "boolean") throw fail("VALIDATION", "allow must be true or false");
  const isDone = await asked.caller.waybill.approvals.answer(asked.id, allow);
  if (isDone) return json({ answered: true });
  throw fail("NOT_FOUND", `No call waits with the id ${asked.id.slice(0, 80)}`, {
    hint: "It was answered already, or is older than a day; reload the list",
  });
};

/** Requires the scope, because the page shows the calls of other callers and can approve calls. */
export function forViewers(scope: string | undefined, route: Route): Route {
  return (asked) => {
    const { identity } = asked.caller;
    const isViewer = scope !== undefined && identity?.scopes.includes(scope) === true;
    if (identity === undefined || isViewer) return route(asked);
    const message = `${identity.id} may not see the calls of all callers`;
    const hint = scope === undefined ? undefined : `Requires the scope ${scope}`;
    throw fail("POLICY", message, { ...(hint !== undefined && { hint }) });
  };
}

/** The actions of the page, by path below `/v1/inspect`. */
export const INSPECTOR_ACTIONS: Readonly<Record<string, Route>> = {
  "approvals/:id": answerApproval,
};

/** Tells the browser not to cache the content of calls. */
function unkept(route: Route): Route {
  return async (asked) => {
    const answer = await route(asked);
    answer.headers.set("cache-control", "no-store");
    return answer;
  };
}

/** The page's API, by path below `/v1/inspect`. */
export function inspectorRoutes(options: InspectorOptions): Readonly<Record<string, Route>> {
  const { history, handles, graph } = options;
  const routes: Record<string, Route> = {
    calls: async ({ query }) => json(await history.calls(callsQuery(query))),
    "calls/:id": callRoute(options),
    ...(handles !== undefined && { "files/:id": fileRoute(handles) }),
    events: eventsRoute(history),
    "capabilities/:id": async ({ id, caller }) => json(await capabilityView(caller.waybill, id)),
    sources: async ({ caller }) => json({ sources: await sourceViews(caller.waybill, options) }),
    approvals: async ({ caller }) => {
      const approvals = await caller.waybill.approvals.pending();
      return json({ approvals } satisfies ApprovalsAnswer);
    },
    totals: async ({ query }) => json(await history.totals(totalsQuery(query))),
    ...(graph !== undefined && {
      graph: async ({ signal }) => json(await graph.picture(signal)),
    }),
  };
  return Object.fromEntries(Object.entries(routes).map(([path, route]) => [path, unkept(route)]));
}
