import { useEffect, useState } from "preact/hooks";
import { formatCount } from "../components/format.ts";
import { Empty, Failed, Loading } from "../components/states.tsx";
import { place } from "../router/router.ts";
import { CallTable } from "./call-table.tsx";
import { Figures } from "./figures.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { Grouped, Grouping, groupingIn } from "./grouped.tsx";
import { filtersIn } from "./filters.ts";
import { LiveCalls } from "./live-calls.ts";

/** The view of all calls, updated live, or of their groups. */
export function Calls() {
  const grouping = groupingIn(place.value.query);
  return (
    <>
      <h1 class="only-read">Calls</h1>
      <Figures />
      {grouping === undefined ? <AllCalls /> : <Grouped by={grouping} />}
    </>
  );
}

function AllCalls() {
  const filters = filtersIn(place.value.query).toString();
  const [calls, setCalls] = useState<LiveCalls>();
  useEffect(() => {
    const live = new LiveCalls(new URLSearchParams(filters));
    setCalls(live);
    return () => live.close();
  }, [filters]);
  return (
    <>
      <FilterBar>
        <Grouping />
        {calls && <Total calls={calls} />}
      </FilterBar>
      {calls && <Listed calls={calls} isFiltered={filters !== ""} />}
    </>
  );
}

function Total({ calls }: { readonly calls: LiveCalls }) {
  const { phase, total } = calls.picture.value;
  if (phase !== "ready") return null;
  return (
    <span class="total soft small">{total === 1 ? "1 call" : `${formatCount(total)} calls`}</span>
  );
}

function Listed({
  calls,
  isFiltered,
}: {
  readonly calls: LiveCalls;
  readonly isFiltered: boolean;
}) {
  const { phase, thrown, count } = calls.picture.value;
  if (phase === "failed") return <Failed title="The calls could not be read" thrown={thrown} />;
  if (phase === "loading") return <Loading what="the calls" />;
  if (count > 0) return <CallTable calls={calls} />;
  if (isFiltered)
    return <Empty title="No call matches these filters">New matching calls appear here.</Empty>;
  return (
    <Empty title="No calls yet">
      A call made with <code>waybill run … --record</code>, or from a capability's page here,
      appears as soon as it is made.
    </Empty>
  );
}
