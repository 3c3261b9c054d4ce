import type { CallRecord, Effect, Outcome, Route } from "@waybill/core";
import type { TimelineEntry } from "@waybill/core/protocol";

/** Where a call came in. */
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

/** Who makes the calls of an observer. It is read for each call, as a client says its name late. */
export interface CallClient {
  /** One run of a server, or of an agent. */
  readonly session?: string | undefined;
  /** The program that an MCP client says it is. */
  readonly agent?: string | undefined;
}

/** A stored call, without its bodies. */
export interface RecordedCall {
  /** Orders calls, whatever the clocks said. */
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
  /** Estimate of the whole answer. */
  readonly tokens_out: number;
  /** At least so many the upstream's answer would have been. */
  readonly tokens_raw?: number;
  /** Requests that it made upstream. */
  readonly cost?: number;
  readonly via?: CallSurface;
  /** The id of the identity that called. */
  readonly caller?: string;
  readonly session?: string;
  readonly agent?: string;
  /** The beginning of the input, as JSON. */
  readonly input?: string;
}

/** A call with everything that was kept of it. */
export interface RecordedDetail extends RecordedCall {
  /** The beginning of its JSON where `params_size` is given. */
  readonly params: unknown;
  readonly params_size?: number;
  /** The options of the call: `select`, `route`, `page` and others. */
  readonly options: Readonly<Record<string, unknown>>;
  /** The beginning of its JSON where it was cut. */
  readonly envelope: unknown;
  readonly envelope_size: number;
  readonly envelope_cut: boolean;
  readonly timeline: readonly TimelineEntry[];
  readonly journal?: { readonly outcome: Outcome; readonly keyed: boolean };
  /** The first of them. */
  readonly children: readonly RecordedCall[];
  /** From the outermost call to this one's parent. */
  readonly ancestors: readonly RecordedCall[];
}

/** Which calls are meant. */
export interface HistoryFilter {
  /** An id, or the beginning of some with `*` at its end. */
  readonly capability?: string | undefined;
  readonly route?: string | undefined;
  readonly outcome?: string | undefined;
  readonly status?: "ok" | "error" | undefined;
  readonly source?: string | undefined;
  readonly via?: string | undefined;
  /** The code of the error. */
  readonly error?: string | undefined;
  /** The id of the identity that called. */
  readonly caller?: string | undefined;
  readonly session?: string | undefined;
  readonly agent?: string | undefined;
  /** Text in the capability, the request's id, the error or the params. */
  readonly q?: string | undefined;
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  /** Calls within the one of this id; `none` for those within no other. */
  readonly parent?: string | undefined;
}

export interface HistoryQuery extends HistoryFilter {
  /** At most 500 (default: 100). */
  readonly limit?: number | undefined;
  /** Only older ones than this. */
  readonly before?: number | undefined;
}

/** Newest first. */
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
 * Totals of the answers that callers got: a chain is counted by its steps, and nested calls of
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
  /** Half of the calls took no longer; absent where there was no call. */
  readonly p50_ms?: number;
  /** 95 of 100 calls took no longer; absent where there was no call. */
  readonly p95_ms?: number;
  /** By where the calls came in and who made them, the busiest first. */
  readonly clients: readonly {
    readonly via?: CallSurface;
    readonly agent?: string;
    readonly caller?: string;
    readonly calls: number;
    readonly errors: number;
    readonly tokens_out: number;
    readonly tokens_raw: number;
  }[];
  /** The latest first; calls outside a session are in none. */
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

/** How the calls of one source went; those of operations without one are under `local`. */
export interface SourceTotals {
  readonly name: string;
  readonly calls: number;
  /** Failures of the source. That it found nothing, or was not asked, is none. */
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
