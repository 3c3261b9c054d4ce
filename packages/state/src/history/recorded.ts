import type { CallRecord, Effect, Outcome, Route } from "@waybill/core";
import type { TimelineEntry } from "@waybill/core/protocol";

/** The surface through which a call came in. */
export type CallSurface =
  | "run"
  | "chain"
  | "code"
  | "mcp"
  | "http"
  | "nats"
  | "inspect"
  | "demo"
  | "program";

/**
 * The client whose calls an observer stores. It is read for each call, because a client may name
 * itself late.
 */
export interface CallClient {
  /** One run of a server, or of an agent. */
  readonly session?: string | undefined;
  /** The name of the program, as the MCP client gives it. */
  readonly agent?: string | undefined;
}

/** A stored call, without its input and answer. */
export interface RecordedCall {
  /** The position in the order of calls, which does not depend on clocks. */
  readonly seq: number;
  readonly request_id: string;
  readonly parent_id?: string;
  readonly kind: CallRecord["kind"];
  readonly capability_id: string;
  readonly source?: string;
  readonly effect?: Effect;
  readonly route?: Route;
  readonly ok: boolean;
  readonly outcome?: Outcome;
  readonly error_code?: string;
  readonly error_message?: string;
  readonly started_at: number;
  readonly duration_ms: number;
  /** How many times a route was tried. */
  readonly attempts: number;
  /** Estimated tokens of the whole answer. */
  readonly tokens_out: number;
  /** Estimated minimum number of tokens of the upstream's answer. */
  readonly tokens_raw?: number;
  /** How many requests the call sent upstream. */
  readonly cost?: number;
  readonly via?: CallSurface;
  /** The id of the identity that called. */
  readonly caller?: string;
  readonly session?: string;
  readonly agent?: string;
  /** The start of the input, as JSON. */
  readonly input?: string;
  /** How many calls it contains directly; absent if it contains none. */
  readonly nested?: number;
}

/** A call with everything that was stored about it. */
export interface RecordedDetail extends RecordedCall {
  /** The input. If `params_size` is set, only the start of its JSON, as text. */
  readonly params: unknown;
  readonly params_size?: number;
  /** The options of the call: `select`, `route`, `page` and others. */
  readonly options: Readonly<Record<string, unknown>>;
  /** The envelope. If it was cut, only the start of its JSON, as text. */
  readonly envelope: unknown;
  readonly envelope_size: number;
  readonly envelope_cut: boolean;
  readonly timeline: readonly TimelineEntry[];
  readonly journal?: { readonly outcome: Outcome; readonly keyed: boolean };
  /** The first child calls; `nested` counts all of them. */
  readonly children: readonly RecordedCall[];
  /** The calls around this one, from the outermost call to the parent. */
  readonly ancestors: readonly RecordedCall[];
}

/** Conditions that select calls. */
export interface HistoryFilter {
  /** The capability: an id, or a prefix of ids that ends with `*`. */
  readonly capability?: string | undefined;
  readonly route?: string | undefined;
  readonly outcome?: string | undefined;
  readonly status?: "ok" | "error" | undefined;
  readonly source?: string | undefined;
  readonly via?: string | undefined;
  /** The error code. */
  readonly error?: string | undefined;
  /** The id of the identity that called. */
  readonly caller?: string | undefined;
  readonly session?: string | undefined;
  readonly agent?: string | undefined;
  /** Text to search for in the capability, the request id, the error or the params. */
  readonly q?: string | undefined;
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  /** Only calls inside the call with this id; `none` for calls without a parent. */
  readonly parent?: string | undefined;
}

export interface HistoryQuery extends HistoryFilter {
  /** At most 500 (default: 100). */
  readonly limit?: number | undefined;
  /** Only calls before this position. */
  readonly before?: number | undefined;
}

/** A page of calls, newest first. */
export interface HistoryPage {
  readonly calls: readonly RecordedCall[];
  readonly more: boolean;
  readonly total: number;
  readonly last_seq: number;
}

export interface TotalsQuery {
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  /** At most 500 (default: 60). */
  readonly buckets?: number | undefined;
}

/**
 * Totals of the answers that callers got. The steps of a chain are counted, not the chain. Nested calls of
 * handlers are not counted.
 */
export interface HistoryTotals {
  readonly buckets: readonly {
    readonly at: number;
    readonly calls: number;
    readonly errors: number;
    readonly tokens_out: number;
    readonly tokens_raw: number;
  }[];
  readonly capabilities: readonly {
    readonly capability_id: string;
    readonly calls: number;
    readonly errors: number;
    readonly tokens_out: number;
    readonly tokens_raw: number;
    readonly p50_ms: number;
  }[];
  readonly routes: readonly { readonly route: string; readonly calls: number }[];
  /** The median duration; absent if there was no call. */
  readonly p50_ms?: number;
  /** The duration of the 95th percentile; absent if there was no call. */
  readonly p95_ms?: number;
  /** Counts by surface and client. The busiest comes first. */
  readonly clients: readonly {
    readonly via?: CallSurface;
    readonly agent?: string;
    readonly caller?: string;
    readonly calls: number;
    readonly errors: number;
    readonly tokens_out: number;
    readonly tokens_raw: number;
  }[];
  /** Counts by session. The latest comes first. Calls outside a session are not included. */
  readonly sessions: readonly {
    readonly session: string;
    readonly first_at: number;
    readonly last_at: number;
    readonly via?: CallSurface;
    readonly agent?: string;
    readonly caller?: string;
    readonly calls: number;
    readonly errors: number;
    readonly tokens_out: number;
    readonly tokens_raw: number;
  }[];
}

/** Counts of one source. Operations without a source are under `local`. */
export interface SourceTotals {
  readonly name: string;
  readonly calls: number;
  /** Failures of the source. "Not found" and refused calls do not count. */
  readonly errors: number;
  readonly p50_ms: number;
  readonly p95_ms: number;
  readonly rate_limit?: {
    readonly remaining: number;
    readonly limit?: number;
    readonly reset_at?: number;
  };
  readonly last_error?: { readonly code: string; readonly message: string; readonly at: number };
}
