import { useState } from "preact/hooks";
import { formatCount } from "../components/format.ts";
import { SearchField } from "../components/search-field.tsx";
import { Empty, Failed, Loading } from "../components/states.tsx";
import { useAnswer } from "../components/use-answer.ts";
import { viewAddress } from "../router/route.ts";
import { place } from "../router/router.ts";
import { groupByDomain } from "./group.ts";
import type { Group, Listed } from "./group.ts";

const MOST = 10_000;
/** How many capabilities of a domain are shown at first. A large API has hundreds in one domain. */
const PER_GROUP = 60;

/** The view of all registered capabilities. */
export function Capabilities() {
  const query = place.value.query.get("q") ?? "";
  const words = new URLSearchParams({ limit: String(MOST), ...(query !== "" && { query }) });
  const { value, thrown } = useAnswer<Listed[]>(`/v1/capabilities?${words.toString()}`);
  return (
    <div class="stack">
      <div class="row title-row">
        <h1>Capabilities</h1>
        <SearchField label="Search capabilities" />
        {value !== undefined && <span class="soft small">{formatCount(value.length)}</span>}
      </div>
      <Found listed={value} thrown={thrown} query={query} />
    </div>
  );
}

interface FoundProps {
  readonly listed: readonly Listed[] | undefined;
  readonly thrown: unknown;
  readonly query: string;
}

function Found({ listed, thrown, query }: FoundProps) {
  if (listed === undefined) {
    if (thrown === undefined) return <Loading what="the capabilities" />;
    return <Failed title="The capabilities could not be read" thrown={thrown} />;
  }
  if (listed.length === 0) {
    return (
      <Empty title={query === "" ? "No capabilities yet" : `Nothing matches “${query}”`}>
        <code>waybill source add</code> adds an API, an MCP server or a command.
      </Empty>
    );
  }
  // Search results are ordered by match, so they are not grouped.
  if (query !== "") return <CapabilityList items={listed} />;
  return (
    <div class="domains">
      {groupByDomain(listed).map((group) => (
        <Domain key={group.domain} group={group} />
      ))}
    </div>
  );
}

function Domain({ group: { domain, items } }: { readonly group: Group }) {
  return (
    <section class="domain" aria-label={domain}>
      <h2 class="mono">
        {domain} <span class="soft small">{items.length}</span>
      </h2>
      <CapabilityList items={items} />
    </section>
  );
}

function CapabilityList({ items }: { readonly items: readonly Listed[] }) {
  const [limit, setLimit] = useState(PER_GROUP);
  const left = items.length - limit;
  return (
    <>
      <ul class="capability-list">
        {items.slice(0, limit).map(({ capability_id, description }) => (
          <li key={capability_id}>
            <a class="mono" href={viewAddress("capabilities", capability_id)}>
              {capability_id}
            </a>
            <span class="soft">{description}</span>
          </li>
        ))}
      </ul>
      {left > 0 && (
        <button type="button" class="button quiet" onClick={() => setLimit(limit + PER_GROUP)}>
          {formatCount(left)} more
        </button>
      )}
    </>
  );
}
