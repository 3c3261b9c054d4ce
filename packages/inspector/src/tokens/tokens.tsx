import type { TotalsAnswer } from "@waybill/server";
import { useEffect, useMemo, useState } from "preact/hooks";
import { Fact } from "../components/fact.tsx";
import { formatCount, formatMs, formatShare } from "../components/format.ts";
import { Panel } from "../components/panel.tsx";
import { Empty, Failed, Loading } from "../components/states.tsx";
import { useAnswer } from "../components/use-answer.ts";
import { place, setQuery } from "../router/router.ts";
import { CapabilityTable, ClientTable, RouteBars } from "./breakdown.tsx";
import { Plot } from "./plot.tsx";
import { RANGES, isRange, getSaved, getSums, totalsPath } from "./sums.ts";
import type { Range } from "./sums.ts";

const TICK_MS = 10_000;
const BUCKETS = 60;

/** The tokens that calls cost, and the tokens saved. */
export function Tokens() {
  const asked = place.value.query.get("range");
  const range = isRange(asked) ? asked : "day";
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  const path = totalsPath(range, now, BUCKETS);
  const { value, thrown } = useAnswer<TotalsAnswer>(path, { everyMs: TICK_MS, keeps: true });
  return (
    <div class="stack">
      <div class="row title-row">
        <h1>Tokens</h1>
        <RangeChoice range={range} />
      </div>
      <Shown totals={value} thrown={thrown} />
    </div>
  );
}

function RangeChoice({ range }: { readonly range: Range }) {
  return (
    <div class="choice row" role="group" aria-label="Over the last">
      {(Object.keys(RANGES) as Range[]).map((one) => (
        <button
          key={one}
          type="button"
          class="button quiet"
          aria-pressed={one === range}
          onClick={() => setQuery({ range: one })}
        >
          {RANGES[one].title}
        </button>
      ))}
    </div>
  );
}

interface ShownProps {
  readonly totals: TotalsAnswer | undefined;
  readonly thrown: unknown;
}

function Shown({ totals, thrown }: ShownProps) {
  if (totals === undefined) {
    if (thrown === undefined) return <Loading what="the sums" />;
    return <Failed title="The token counts could not be read" thrown={thrown} />;
  }
  if (totals.capabilities.length === 0) {
    return <Empty title="No calls in this period">Choose a longer period, or make a call.</Empty>;
  }
  return (
    <>
      <SumFigures totals={totals} />
      <Plots totals={totals} />
      <div class="breakdown">
        <CapabilityTable capabilities={totals.capabilities} />
        <div class="stack">
          <ClientTable clients={totals.clients} />
          <RouteBars routes={totals.routes} />
        </div>
      </div>
    </>
  );
}

function SumFigures({ totals }: { readonly totals: TotalsAnswer }) {
  const sums = getSums(totals);
  const saved = getSaved(sums);
  return (
    <dl class="facts large">
      <Fact name="Answer tokens">{formatCount(sums.out)}</Fact>
      <Fact name="Saved, compared with the upstreams' responses">
        {formatCount(saved)}{" "}
        <span class="soft">{sums.raw > 0 && formatShare(saved, sums.raw)}</span>
      </Fact>
      <Fact name="Calls">{formatCount(sums.calls)}</Fact>
      <Fact name="Failed or refused">{formatShare(sums.errors, sums.calls)}</Fact>
      <Fact name="95th percentile">{formatMs(totals.p95_ms)}</Fact>
    </dl>
  );
}

function Plots({ totals: { buckets } }: { readonly totals: TotalsAnswer }) {
  const times = useMemo(() => buckets.map(({ at }) => at), [buckets]);
  const tokens = useMemo(
    () => [
      {
        title: "saved",
        colour: "--bar-soft" as const,
        values: buckets.map(({ tokens_out, tokens_raw }) => Math.max(tokens_out, tokens_raw)),
      },
      { title: "answers", colour: "--bar" as const, values: buckets.map((one) => one.tokens_out) },
    ],
    [buckets],
  );
  const calls = useMemo(
    () => [
      { title: "calls", colour: "--bar" as const, values: buckets.map((one) => one.calls) },
      { title: "failed", colour: "--bar-bad" as const, values: buckets.map((one) => one.errors) },
    ],
    [buckets],
  );
  return (
    <div class="plots">
      <Panel title="Tokens over time">
        <Plot label="Answer tokens and saved tokens, over time" times={times} series={tokens} />
      </Panel>
      <Panel title="Calls over time">
        <Plot label="Calls and failed calls, over time" times={times} series={calls} />
      </Panel>
    </div>
  );
}
