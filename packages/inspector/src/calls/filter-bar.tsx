import type { ComponentChildren } from "preact";
import { CLIENT_NAMES } from "../components/client-name.ts";
import { formatDate } from "../components/format.ts";
import { SearchField } from "../components/search-field.tsx";
import { place, setQuery } from "../router/router.ts";
import { CHIPS, FILTERS } from "./filters.ts";
import type { FilterName } from "./filters.ts";

const ERRORS = [
  "AUTH",
  "NOT_FOUND",
  "VALIDATION",
  "CONFLICT",
  "POLICY",
  "RATE_LIMIT",
  "NETWORK",
  "TIMEOUT",
  "SERVER",
  "NOT_READY",
  "TOO_LARGE",
  "ADAPTER_UNSUPPORTED",
  "CANCELLED",
  "UNKNOWN",
] as const;

const CHOICES: readonly {
  readonly name: FilterName;
  readonly title: string;
  readonly all: string;
  readonly values: Readonly<Record<string, string>>;
}[] = [
  {
    name: "status",
    title: "Status",
    all: "Any status",
    values: { ok: "Succeeded", error: "Failed" },
  },
  {
    name: "route",
    title: "Route",
    all: "Any route",
    values: { cli: "cli", graphql: "graphql", rest: "rest", mcp: "mcp", local: "local" },
  },
  {
    name: "outcome",
    title: "Outcome of a write",
    all: "Any outcome",
    values: { applied: "Applied", not_applied: "Not applied", unknown: "May be applied" },
  },
  {
    name: "error",
    title: "Error",
    all: "Any error",
    values: Object.fromEntries(ERRORS.map((code) => [code, code])),
  },
  {
    name: "via",
    title: "Client",
    all: "Any client",
    values: CLIENT_NAMES,
  },
  {
    name: "parent",
    title: "Nested calls",
    all: "All calls",
    values: { none: "Not nested" },
  },
];

/** The filters, which are stored in the URL. */
export function FilterBar({ children }: { readonly children?: ComponentChildren }) {
  const { query } = place.value;
  const parent = query.get("parent") ?? "none";
  const chips = CHIPS.filter((name) => (name === "parent" ? parent !== "none" : query.has(name)));
  const isFiltered = FILTERS.some((name) => query.has(name));
  return (
    <search class="filters row">
      <SearchField label="Search calls" />
      {CHOICES.map(({ name, title, all, values }) => (
        <select
          key={name}
          class="field"
          aria-label={title}
          value={query.get(name) ?? ""}
          data-set={query.has(name)}
          onChange={({ currentTarget }) => setQuery({ [name]: currentTarget.value })}
        >
          <option value="">{all}</option>
          {Object.entries(values).map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
      ))}
      {chips.map((name) => (
        <Chip key={name} name={name} value={query.get(name) ?? ""} />
      ))}
      {isFiltered && (
        <button type="button" class="button quiet" onClick={clearFilters}>
          Clear
        </button>
      )}
      {children}
    </search>
  );
}

function clearFilters(): void {
  setQuery(Object.fromEntries(FILTERS.map((name) => [name, undefined])));
}

function Chip({ name, value }: { readonly name: FilterName; readonly value: string }) {
  const isTime = name === "since" || name === "until";
  const shown = isTime ? formatDate(Number(value)) : value;
  return (
    <button
      type="button"
      class="chip"
      aria-label={`${name} ${shown}, remove the filter`}
      onClick={() => setQuery({ [name]: undefined })}
    >
      <span class="soft">{name}</span> {shown} <span aria-hidden="true">×</span>
    </button>
  );
}
