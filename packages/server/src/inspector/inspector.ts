import type { HandleStore } from "@waybill/core";
import type {
  CallDetail,
  CallSummary,
  CallsAnswer,
  CallsQuery,
  GraphPicture,
  HelloEvent,
  SourceView,
  TotalsAnswer,
} from "./wire.ts";

/** Selects calls; see CallsQuery. */
export type CallsFilter = Omit<CallsQuery, "limit" | "before">;

/** The stored calls. */
export interface InspectedHistory {
  mark(): Promise<HelloEvent>;
  calls(query: CallsQuery): Promise<CallsAnswer>;
  /** The calls after this number, oldest first. */
  since(seq: number, filter: CallsFilter, limit?: number): Promise<readonly CallSummary[]>;
  call(
    request_id: string,
  ): Promise<Omit<CallDetail, "command" | "code" | "brief" | "files"> | undefined>;
  totals(query: TotalsQuery): Promise<TotalsAnswer>;
  sources(): Promise<readonly Omit<SourceView, "kind" | "state">[]>;
}

export interface TotalsQuery {
  readonly since?: number;
  readonly until?: number;
  readonly buckets?: number;
}

/** The options of the inspector. */
export interface InspectorOptions {
  readonly history: InspectedHistory;
  /** The folder with the page's files. Without it, only the page's API is served. */
  readonly page?: string | undefined;
  /**
   * The scope that a caller with an identity needs, because the page shows the calls of all
   * callers and can approve calls (default: no such caller may use it).
   */
  readonly scope?: string | undefined;
  /** The store of the files of answers (default: the page shows no files). */
  readonly handles?: HandleStore | undefined;
  /** The kind of each source by its name, if known. */
  readonly kinds?: Readonly<Record<string, string>>;
  /** The accounts that are signed in, by source (default: unknown). */
  readonly accounts?: (() => Promise<Readonly<Record<string, readonly string[]>>>) | undefined;
  /** The import graph of a code base, for the page. */
  readonly graph?: { picture(signal: AbortSignal): Promise<GraphPicture> } | undefined;
}
