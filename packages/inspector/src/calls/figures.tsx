import type { TotalsAnswer, TotalsBucket } from "@waybill/server";
import { useEffect, useState } from "preact/hooks";
import { Fact } from "../components/fact.tsx";
import { formatCount, formatMs, formatShare } from "../components/format.ts";
import { useAnswer } from "../components/use-answer.ts";
import { getSums, totalsPath } from "../tokens/sums.ts";
import { sparkBars } from "./spark-bars.ts";

const EVERY_MS = 10_000;
const BUCKETS = 30;

/** The key figures of the last hour, above the list of calls. */
export function Figures() {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now), EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  const path = totalsPath("hour", now, BUCKETS);
  const { value } = useAnswer<TotalsAnswer>(path, { everyMs: EVERY_MS, keeps: true });
  if (value === undefined) return null;
  const { calls, errors, out } = getSums(value);
  return (
    <section class="figures row" aria-label="Last hour">
      <Spark buckets={value.buckets} />
      <dl class="facts">
        <Fact name="Calls, last hour">{formatCount(calls)}</Fact>
        <Fact name="Failed or refused">{calls === 0 ? "–" : formatShare(errors, calls)}</Fact>
        <Fact name="Median">{formatMs(value.p50_ms)}</Fact>
        <Fact name="95th percentile">{formatMs(value.p95_ms)}</Fact>
        <Fact name="Answer tokens">{formatCount(out)}</Fact>
      </dl>
    </section>
  );
}

/** The chart is hidden from screen readers, because the figures beside it say the same. */
function Spark({ buckets }: { readonly buckets: readonly TotalsBucket[] }) {
  return (
    <svg
      class="spark"
      viewBox={`0 0 ${buckets.length} 1`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {sparkBars(buckets).map(({ height, failed }, index) => (
        <g key={index}>
          <rect class="spark-calls" x={index} y={1 - height} width={0.8} height={height} />
          <rect class="spark-failed" x={index} y={1 - failed} width={0.8} height={failed} />
        </g>
      ))}
    </svg>
  );
}
