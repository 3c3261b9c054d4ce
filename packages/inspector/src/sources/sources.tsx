import type { SourceView, SourcesAnswer } from "@waybill/server";
import { Fact } from "../components/fact.tsx";
import {
  formatCount,
  formatDate,
  formatMs,
  formatShare,
  formatTime,
} from "../components/format.ts";
import { Empty, Failed, Loading } from "../components/states.tsx";
import { useAnswer } from "../components/use-answer.ts";
import { viewAddress } from "../router/route.ts";

const REFRESH_MS = 4_000;

/** The sources of the calls, with their state. */
export function Sources() {
  const { value, thrown } = useAnswer<SourcesAnswer>("/v1/inspect/sources", {
    everyMs: REFRESH_MS,
  });
  return (
    <div class="stack">
      <h1>Sources</h1>
      <p class="soft small">
        Only calls that reached a source are counted. “Failed” means that the source failed. A call
        that found nothing, or that was refused before it was sent, does not count as failed.
      </p>
      <Listed answer={value} thrown={thrown} />
    </div>
  );
}

interface ListedProps {
  readonly answer: SourcesAnswer | undefined;
  readonly thrown: unknown;
}

function Listed({ answer, thrown }: ListedProps) {
  if (answer === undefined) {
    if (thrown === undefined) return <Loading what="the sources" />;
    return <Failed title="The sources could not be read" thrown={thrown} />;
  }
  if (answer.sources.length === 0) {
    return (
      <Empty title="There are no sources">
        <code>waybill source add</code> adds an API, an MCP server or a command.
      </Empty>
    );
  }
  return (
    <ul class="sources">
      {answer.sources.map((source) => (
        <Source key={source.name} source={source} />
      ))}
    </ul>
  );
}

const ORIGINS: Readonly<Record<NonNullable<SourceView["origin"]>, string>> = {
  program: "",
  pack: "built in",
  user: "your configuration",
  project: "this project",
};

const STATES = {
  up: { words: "up", tone: "good" },
  down: { words: "down", tone: "bad" },
  unknown: { words: "not used yet", tone: "" },
  "needs trust": { words: "needs trust", tone: "bad" },
} as const;

function Source({ source }: { readonly source: SourceView }) {
  const { name, kind, state, calls, errors, operations, p50_ms, p95_ms } = source;
  const { origin, renamed = [] } = source;
  return (
    <li class="panel source">
      <header>
        <h2>{name}</h2>
        <span class="soft small">
          {[kind, origin === undefined ? "" : ORIGINS[origin]].filter(Boolean).join(", ")}
        </span>
        <span class="tag end" data-tone={STATES[state].tone}>
          {STATES[state].words}
        </span>
      </header>
      <dl class="facts">
        <Fact name="Calls">
          <a href={viewAddress("calls", undefined, { source: name })}>{formatCount(calls)}</a>
        </Fact>
        <Fact name="Failed">{calls === 0 ? "–" : formatShare(errors, calls)}</Fact>
        <Fact name="Operations">{formatCount(operations)}</Fact>
        <Fact name="Median">{formatMs(p50_ms)}</Fact>
        <Fact name="95th percentile">{formatMs(p95_ms)}</Fact>
      </dl>
      <Parts parts={source.parts} />
      {renamed.map(({ id, as }) => (
        <p key={id} class="small">
          <code>{id}</code> is called <code>{as}</code> here, because another source has that id.
        </p>
      ))}
      <Accounts source={source} />
      <RateLimit limit={source.rate_limit} />
      <LastError error={source.last_error} />
    </li>
  );
}

const PART_NAMES: Readonly<Record<string, string>> = {
  capabilities: "Capabilities",
  graphql: "GraphQL API",
  rest: "REST API",
};

/** Lists the parts of a source that has several. */
function Parts({ parts = [] }: { readonly parts: SourceView["parts"] }) {
  if (parts.length === 0) return null;
  return (
    <ul class="small source-parts">
      {parts.map(({ kind, state, operations }) => (
        <li key={kind}>
          {PART_NAMES[kind] ?? kind}:{" "}
          {operations === undefined ? STATES[state].words : formatCount(operations)}
        </li>
      ))}
    </ul>
  );
}

/** Who is signed in, or how to sign in. */
function Accounts({ source: { name, accounts } }: { readonly source: SourceView }) {
  if (accounts === undefined) return null;
  if (accounts.length === 0) {
    return (
      <p class="small soft">
        Not signed in. If the source requires an account, run: <code>waybill connect {name}</code>
      </p>
    );
  }
  return (
    <p class="small">
      <span class="tag" data-tone="good">
        signed in
      </span>{" "}
      as {accounts.join(", ")}
    </p>
  );
}

function RateLimit({ limit: rate }: { readonly limit: SourceView["rate_limit"] }) {
  if (rate === undefined) return null;
  const { remaining, limit, reset_at } = rate;
  // Hides the remaining count after the reset, because it is out of date then.
  if (reset_at !== undefined && reset_at < Date.now()) return null;
  const words = limit === undefined ? "" : ` of ${formatCount(limit)}`;
  return (
    <div class="small">
      <span>
        {formatCount(remaining)}
        {words} requests left
        {reset_at !== undefined && <span class="soft"> until {formatTime(reset_at)}</span>}
      </span>
      {limit !== undefined && (
        <meter
          min={0}
          max={limit}
          low={limit * 0.2}
          optimum={limit}
          value={remaining}
          aria-label="Requests left"
        />
      )}
    </div>
  );
}

function LastError({ error }: { readonly error: SourceView["last_error"] }) {
  if (error === undefined) return null;
  return (
    <p class="notice small">
      <code>{error.code}</code> {error.message}{" "}
      <span class="soft" title={formatDate(error.at)}>
        {formatTime(error.at)}
      </span>
    </p>
  );
}
