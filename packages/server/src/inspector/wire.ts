import type {
  Effect,
  JsonSchema,
  OperationCardSummary,
  Outcome,
  PendingApproval,
  Route,
} from "@waybill/core";
import type { Origin } from "@waybill/core/protocol";

// The messages between the inspector's page and its server. Times are milliseconds since 1970 if no
// comment says otherwise. `seq` orders the calls, because clocks jump.

/**
 * A program is `code`. Its calls are `replayed` if the log of an earlier run answered them, and
 * `waiting` if they wait for an approval.
 */
export type CallKind = "call" | "chain" | "step" | "code" | "replayed" | "waiting";

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

/** A call in the list. */
export interface CallSummary {
  readonly seq: number;
  readonly request_id: string;
  /** The call in which it was made: a chain, a card of steps, a handler. */
  readonly parent_id?: string;
  readonly kind: CallKind;
  readonly capability_id: string;
  readonly source?: string;
  readonly effect?: Effect;
  readonly route?: Route;
  readonly ok: boolean;
  /** The outcome of a write. */
  readonly outcome?: Outcome;
  readonly error_code?: string;
  readonly error_message?: string;
  readonly started_at: number;
  readonly duration_ms: number;
  /** How many times a route was tried. */
  readonly attempts: number;
  readonly tokens_out?: number;
  /** The estimated tokens without any reduction, as far as known. */
  readonly tokens_raw?: number;
  /** Requests that it made upstream. */
  readonly cost?: number;
  readonly via?: CallSurface;
  /** The id of the identity that called. */
  readonly caller?: string;
  /** One run of a server, or of an agent. */
  readonly session?: string;
  /** The program that an MCP client says it is. */
  readonly agent?: string;
  /** The beginning of the input, as JSON. */
  readonly input?: string;
}

/** One bar of the waterfall. */
export interface AttemptView {
  readonly route: Route;
  readonly status: "success" | "error" | "skipped" | "wait";
  readonly error_code?: string;
  /** Why it was skipped, failed or waited for, in words. */
  readonly reason?: string;
  /** Since the call began. */
  readonly at_ms: number;
  readonly duration_ms: number;
}

/** A call's page. */
export interface CallDetail extends CallSummary {
  /** Redacted; the beginning of its JSON, as text, where `params_size` is given. */
  readonly params: unknown;
  readonly params_size?: number;
  /** The options of the call: `select`, `route`, `page` and others. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Redacted; the beginning of its JSON, as text, where `envelope_cut`. */
  readonly envelope: unknown;
  /** Size of its JSON, in bytes. */
  readonly envelope_size: number;
  readonly envelope_cut: boolean;
  readonly timeline: readonly AttemptView[];
  /** The first of them, at most 200. */
  readonly children: readonly CallSummary[];
  /** From the outermost call to this one's parent. */
  readonly ancestors: readonly CallSummary[];
  /** For writes: the outcome, and whether it had a key for the journal. */
  readonly journal?: { readonly outcome: Outcome; readonly keyed: boolean };
  /** The answer as brief text, as agents read it; absent for a chain, a program or a cut envelope. */
  readonly brief?: string;
  /** The call for a shell. */
  readonly command: string;
  /** The call in TypeScript. */
  readonly code: string;
}

/**
 * `GET /v1/inspect/calls` takes these by name, and so does `GET /v1/inspect/events`, which also
 * takes `after`.
 */
export interface CallsQuery {
  /** At most 500 (default: 100). */
  readonly limit?: number;
  readonly before?: number;
  /** An id, or the beginning of some with `*` at its end. */
  readonly capability?: string;
  readonly route?: string;
  readonly outcome?: string;
  readonly status?: "ok" | "error";
  readonly source?: string;
  readonly via?: string;
  /** The code of the error. */
  readonly error?: string;
  /** The id of the identity that called. */
  readonly caller?: string;
  readonly session?: string;
  readonly agent?: string;
  /** Text in the capability, the request's id, the error's code or the params. */
  readonly q?: string;
  readonly since?: number;
  readonly until?: number;
  /** Calls within the one of this id; `none` for those within no other. */
  readonly parent?: string;
}

/** Newest first. */
export interface CallsAnswer {
  readonly calls: readonly CallSummary[];
  readonly more: boolean;
  readonly total: number;
  readonly last_seq: number;
}

/** `event: hello`. Another instance than before has its own numbers: begin again. */
export interface HelloEvent {
  readonly last_seq: number;
  readonly instance: string;
}

/** `event: calls`, oldest first. */
export interface CallsEvent {
  readonly calls: readonly CallSummary[];
}

/** A route of a capability on this machine. */
export interface RouteView {
  readonly route: Route;
  readonly preferred: boolean;
  readonly state: "ready" | "unavailable" | "unknown";
  readonly reason?: string;
  readonly hint?: string;
}

/** `GET /v1/inspect/capabilities/{id}` */
export interface CapabilityView {
  readonly explanation: OperationCardSummary;
  readonly text: string;
  readonly input_schema: JsonSchema;
  readonly output_schema: JsonSchema;
  readonly effect: Effect;
  readonly source?: string;
  /** Whose the source is, and whether it is trusted, in a few words. */
  readonly from?: string;
  readonly routes: readonly RouteView[];
}

export interface SourcePart {
  readonly kind: string;
  readonly state: SourceView["state"];
  readonly operations?: number;
}

export interface SourceView {
  readonly name: string;
  readonly kind: string;
  readonly state: "up" | "down" | "unknown" | "needs trust";
  /** Who put it here; unknown of one that is not configured here. */
  readonly origin?: Origin;
  readonly operations?: number;
  /** Present if several sources share the name, such as GitHub's capabilities and its whole API. */
  readonly parts?: readonly SourcePart[];
  /** Operations that are called otherwise here, because another source has their ids. */
  readonly renamed?: readonly { readonly id: string; readonly as: string }[];
  /** Those that reached it, also within other calls. */
  readonly calls: number;
  /** Its own failures. That it found nothing is none. */
  readonly errors: number;
  readonly p50_ms?: number;
  readonly p95_ms?: number;
  readonly rate_limit?: {
    readonly remaining: number;
    readonly limit?: number;
    readonly reset_at?: number;
  };
  readonly last_error?: { readonly code: string; readonly message: string; readonly at: number };
  /** The accounts that are signed in; undefined for a source that nobody signs in to. */
  readonly accounts?: readonly string[];
}

/** `GET /v1/inspect/sources` */
export interface SourcesAnswer {
  readonly sources: readonly SourceView[];
}

/** `GET /v1/inspect/approvals`: the calls that wait for a person, oldest first. */
export interface ApprovalsAnswer {
  readonly approvals: readonly PendingApproval[];
}

/** The calls from `at` to the next bucket's `at`. */
export interface TotalsBucket {
  readonly at: number;
  readonly calls: number;
  readonly errors: number;
  readonly tokens_out: number;
  readonly tokens_raw: number;
}

export interface CapabilityTotals {
  readonly capability_id: string;
  readonly calls: number;
  readonly errors: number;
  readonly tokens_out: number;
  readonly tokens_raw: number;
  readonly p50_ms: number;
}

/** The calls of one client, or of one caller by it. */
export interface ClientTotals {
  readonly via?: CallSurface;
  readonly agent?: string;
  readonly caller?: string;
  readonly calls: number;
  readonly errors: number;
  readonly tokens_out: number;
  readonly tokens_raw: number;
}

/** The calls of one session. */
export interface SessionTotals extends ClientTotals {
  readonly session: string;
  readonly first_at: number;
  readonly last_at: number;
}

/** `GET /v1/inspect/totals?since=&until=&buckets=` */
export interface TotalsAnswer {
  readonly buckets: readonly TotalsBucket[];
  readonly capabilities: readonly CapabilityTotals[];
  readonly routes: readonly { readonly route: string; readonly calls: number }[];
  /** Half of the calls took no longer; absent where there was no call. */
  readonly p50_ms?: number;
  /** 95 of 100 calls took no longer; absent where there was no call. */
  readonly p95_ms?: number;
  /** The busiest first. */
  readonly clients: readonly ClientTotals[];
  /** The latest first; calls outside a session are in none. */
  readonly sessions: readonly SessionTotals[];
}

/** `GET /v1/inspect/graph`: a repository's files and imports, as few numbers as will draw it. */
export interface GraphPicture {
  readonly root: string;
  readonly files: readonly string[];
  /** Pairs of file indexes, one after the other: importer, imported. */
  readonly imports: readonly number[];
  readonly layers: readonly string[];
  /** For each file its layer; -1 for none. */
  readonly layer_of: readonly number[];
  readonly hotspots: readonly { readonly file: number; readonly score: number }[];
  readonly cycles: readonly (readonly number[])[];
  readonly violations: readonly {
    readonly from: number;
    readonly to: number;
    readonly rule: string;
    readonly message: string;
  }[];
  /** Files of the working diff. */
  readonly changed: readonly number[];
  readonly notes: readonly string[];
}
