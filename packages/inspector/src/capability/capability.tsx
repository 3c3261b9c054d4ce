import type { CapabilityView, RouteView } from "@waybill/server";
import { Panel } from "../components/panel.tsx";
import { Failed, Loading } from "../components/states.tsx";
import { useAnswer } from "../components/use-answer.ts";
import { viewAddress } from "../router/route.ts";
import { SchemaPanel } from "./schema-panel.tsx";
import { RunForm } from "./run-form.tsx";

const EFFECT_TONES = { read: "", write: "accent", destructive: "bad" } as const;

/** The page of one capability: its description, its routes, and a form that runs it. */
export function Capability({ id }: { readonly id: string }) {
  const path = `/v1/inspect/capabilities/${encodeURIComponent(id)}`;
  const { value, thrown } = useAnswer<CapabilityView>(path);
  if (value !== undefined) return <CapabilityPage view={value} />;
  if (thrown === undefined) return <Loading what="the capability" />;
  return <Failed title={`${id} cannot be shown`} thrown={thrown} />;
}

function CapabilityPage({ view }: { readonly view: CapabilityView }) {
  const { explanation, effect, source, from } = view;
  const { capability_id, purpose, notes = [] } = explanation;
  return (
    <div class="stack">
      <div class="row title-row">
        <h1 class="mono">{capability_id}</h1>
        <span class="tag" data-tone={EFFECT_TONES[effect]}>
          {effect}
        </span>
        {source !== undefined && (
          <span class="soft">
            from <a href={viewAddress("calls", undefined, { source })}>{from ?? source}</a>
          </span>
        )}
        <span class="row title-end">
          <a class="button" href={viewAddress("calls", undefined, { capability: capability_id })}>
            All calls
          </a>
        </span>
      </div>
      <p class="purpose">{purpose}</p>
      {notes.length > 0 && (
        <ul class="soft">
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      <div class="capability-page">
        <RunForm view={view} />
        <div class="stack">
          <Routes routes={view.routes} />
          <Panel title="Explanation" aside="what an agent reads">
            <pre class="code-block" tabIndex={0}>
              {view.text}
            </pre>
          </Panel>
          <SchemaPanel title="Input schema" schema={view.input_schema} />
          <SchemaPanel title="Output schema" schema={view.output_schema} />
        </div>
      </div>
    </div>
  );
}

const STATE_TONES = { ready: "good", unavailable: "bad", unknown: "" } as const;

/** Lists the routes in the order in which they are tried, and whether each is available here. */
function Routes({ routes }: { readonly routes: readonly RouteView[] }) {
  return (
    <Panel title="Routes" aside="in the order in which they are tried">
      <ol class="routes">
        {routes.map(({ route, preferred, state, reason, hint }) => (
          <li key={route} class="row">
            <span class="mono">{route}</span>
            <span class="tag" data-tone={STATE_TONES[state]}>
              {state}
            </span>
            {preferred && <span class="tag">preferred</span>}
            {reason !== undefined && <code>{reason}</code>}
            {hint !== undefined && <span class="soft">{hint}</span>}
          </li>
        ))}
      </ol>
    </Panel>
  );
}
