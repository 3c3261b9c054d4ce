import type {
  Effect,
  JsonSchema,
  OperationCardSummary,
  Outcome,
  PendingApproval,
  Route,
} from "@waybill/core";
import type { Origin } from "@waybill/core/protocol";

// The messages between the inspector's page and its server. Times are milliseconds since 1970, if
// no comment says otherwise. `seq` orders the calls, because clocks can jump.

/**
 * The kind of a call. A program is `code`. Its calls are `replayed` if the log of an earlier run
 * answered them, and `waiting` if they wait for an approval.
 */
export type CallKind = "call" | "chain" | "step" | "code" | "replayed" | "waiting";

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

/** A call in the list. */
export interface CallSummary {
  readonly seq: number;
  readonly request_id: string;
  /** The call that contains this one: a chain, a card with steps, or a handler. */
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
  /** Estimated tokens without any reduction, as far as known. */
  readonly tokens_raw?: number;
  /** How many requests the call sent upstream. */
  readonly cost?: number;
  readonly via?: CallSurface;
  /** The id of the identity that called. */
  readonly caller?: string;
  /** The id of one run of a server, or of an agent. */
  readonly session?: string;
  /** The name of the program, as the MCP client gives it. */
  readonly agent?: string;
  /** The start of the input, as JSON. */
  readonly input?: string;
  /** How many calls this call contains directly; absent if there are none. */
  readonly nested?: number;
}

/** One bar of the call's timeline. */
export interface AttemptView {
  readonly route: Route;
  readonly status: "success" | "error" | "skipped" | "wait";
  readonly error_code?: string;
  /** Why the attempt was skipped, failed or delayed. */
  readonly reason?: string;
  /** Milliseconds since the call began. */
  readonly at_ms: number;
  readonly duration_ms: number;
}

/** A file of an answer; `GET /v1/inspect/files/{handle}` reads it. */
export interface CallFile {
  readonly handle: string;
  readonly mime_type: string;
  readonly bytes: number;
  /** File name or address, if it has one. */
  readonly name?: string;
}

/** The details of a call. */
export interface CallDetail extends CallSummary {
  /** The input, without secrets. If `params_size` is set, only the start of its JSON, as text. */
  readonly params: unknown;
  readonly params_size?: number;
  /** The options of the call: `select`, `route`, `page` and others. */
  readonly options: Readonly<Record<string, unknown>>;
  /**
   * The envelope, without secrets. If `envelope_cut` is set, only the start of its JSON, as
   * text.
   */
  readonly envelope: unknown;
  /** Size of its JSON, in bytes. */
  readonly envelope_size: number;
  readonly envelope_cut: boolean;
  readonly timeline: readonly AttemptView[];
  /** The first 200 child calls. */
  readonly children: readonly CallSummary[];
  /** The calls around this one, from the outermost call to the parent. */
  readonly ancestors: readonly CallSummary[];
  /** For writes: the outcome, and whether the write has an idempotency key. */
  readonly journal?: { readonly outcome: Outcome; readonly keyed: boolean };
  /** Images, audio and other files of the answer; absent if there are none. */
  readonly files?: readonly CallFile[];
  /**
   * The answer as brief text, in the form that agents get. Absent for a chain, a program or a
   * cut envelope.
   */
  readonly brief?: string;
  /** The call as a shell command. */
  readonly command: string;
  /** The call in TypeScript. */
  readonly code: string;
}

/**
 * The query parameters of `GET /v1/inspect/calls` and `GET /v1/inspect/events`. The latter also
 * takes `after`.
 */
export interface CallsQuery {
  /** At most 500 (default: 100). */
  readonly limit?: number;
  readonly before?: number;
  /** The capability: an id, or a prefix of ids that ends with `*`. */
  readonly capability?: string;
  readonly route?: string;
  readonly outcome?: string;
  readonly status?: "ok" | "error";
  readonly source?: string;
  readonly via?: string;
  /** The error code. */
  readonly error?: string;
  /** The id of the identity that called. */
  readonly caller?: string;
  readonly session?: string;
  readonly agent?: string;
  /** Text to search for in the capability, the request id, the error code or the params. */
  readonly q?: string;
  readonly since?: number;
  readonly until?: number;
  /** Only calls inside the call with this id; `none` for calls without a parent. */
  readonly parent?: string;
}

/** A page of calls, newest first. */
export interface CallsAnswer {
  readonly calls: readonly CallSummary[];
  readonly more: boolean;
  readonly total: number;
  readonly last_seq: number;
}

/**
 * The data of `event: hello`. If the instance has changed, the numbers start again, so the
 * client must start again too.
 */
export interface HelloEvent {
  readonly last_seq: number;
  readonly instance: string;
}

/** The data of `event: calls`. The oldest call comes first. */
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

/** The answer of `GET /v1/inspect/capabilities/{id}`. */
export interface CapabilityView {
  readonly explanation: OperationCardSummary;
  readonly text: string;
  readonly input_schema: JsonSchema;
  readonly output_schema: JsonSchema;
  readonly effect: Effect;
  readonly source?: string;
  /** The owner of the source, and whether the source is trusted, in a few words. */
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
  /** Who configured it; absent if it is not configured here. */
  readonly origin?: Origin;
  readonly operations?: number;
  /** Present if several sources share the name, such as GitHub's capabilities and its whole API. */
  readonly parts?: readonly SourcePart[];
  /** Operations that have another id here, because another source has their ids. */
  readonly renamed?: readonly { readonly id: string; readonly as: string }[];
  /** The calls that reached the source, including nested calls. */
  readonly calls: number;
  /** Failures of the source itself. "Not found" does not count. */
  readonly errors: number;
  readonly p50_ms?: number;
  readonly p95_ms?: number;
  readonly rate_limit?: {
    readonly remaining: number;
    readonly limit?: number;
    readonly reset_at?: number;
  };
  readonly last_error?: { readonly code: string; readonly message: string; readonly at: number };
  /** The signed-in accounts; undefined for a source without sign-in. */
  readonly accounts?: readonly string[];
}

/** The answer of `GET /v1/inspect/sources`. */
export interface SourcesAnswer {
  readonly sources: readonly SourceView[];
}

/** The answer of `GET /v1/inspect/approvals`: the calls that wait for a person, oldest first. */
export interface ApprovalsAnswer {
  readonly approvals: readonly PendingApproval[];
}

/** The number of calls from `at` until the `at` of the next bucket. */
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

/** The calls of one client, or of one caller of that client. */
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

/** The answer of `GET /v1/inspect/totals?since=&until=&buckets=`. */
export interface TotalsAnswer {
  readonly buckets: readonly TotalsBucket[];
  readonly capabilities: readonly CapabilityTotals[];
  readonly routes: readonly { readonly route: string; readonly calls: number }[];
  /** The median duration; absent if there was no call. */
  readonly p50_ms?: number;
  /** The duration of the 95th percentile; absent if there was no call. */
  readonly p95_ms?: number;
  /** Counts by client. The busiest client comes first. */
  readonly clients: readonly ClientTotals[];
  /** Counts by session. The latest comes first. Calls outside a session are not included. */
  readonly sessions: readonly SessionTotals[];
}

/**
 * The answer of `GET /v1/inspect/graph`: the files and imports of a repository, in compact form.
 */
export interface GraphPicture {
  readonly root: string;
  readonly files: readonly string[];
  /** Pairs of file indexes, one after the other: importer, imported. */
  readonly imports: readonly number[];
  readonly layers: readonly string[];
  /** The layer of each file; -1 for none. */
  readonly layer_of: readonly number[];
  readonly hotspots: readonly { readonly file: number; readonly score: number }[];
  readonly cycles: readonly (readonly number[])[];
  readonly violations: readonly {
    readonly from: number;
    readonly to: number;
    readonly rule: string;
    readonly message: string;
  }[];
  /** Files that have changed in the working tree. */
  readonly changed: readonly number[];
  readonly notes: readonly string[];
}
