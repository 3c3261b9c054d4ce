import type { PreparedDocument } from "./prepared-document.ts";

/** Pure functions that mappings name with `call`, for the rare thing that data cannot say. */
export type CardFunctions = Readonly<
  Record<string, (value: unknown, params: Readonly<Record<string, unknown>>) => unknown>
>;

/** What the expressions of a card see. */
export interface CardScope {
  readonly params: Readonly<Record<string, unknown>>;
  readonly lookup?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, unknown>>;
  /** Names of the field groups that were asked for. */
  readonly include?: readonly string[];
  /** The one of a list that a lookup is asked for; mappings see it as `$item`. */
  readonly item?: unknown;
  /** What is known of the next page; output mappings see it as `$page`. */
  readonly page?: unknown;
  readonly functions?: CardFunctions;
}

/** A request as a card describes it, before any adapter has seen it. */
export type CardRequest = RestRequest | GraphqlRequest | CommandRequest;

/** A REST request to send. */
export interface RestRequest {
  readonly kind: "rest";
  readonly method: string;
  /** Encoded, without a host. */
  readonly path: string;
  readonly query: readonly (readonly [string, string])[];
  readonly headers: Readonly<Record<string, string>>;
  /** A JSON value, or absent. */
  readonly body?: unknown;
}

/** A GraphQL document to send, with its variables. */
export interface GraphqlRequest {
  readonly kind: "graphql";
  /** A document with one operation may leave it without a name. */
  readonly operationName?: string | undefined;
  /** The printed document. */
  readonly document: string;
  readonly variables: Readonly<Record<string, unknown>>;
  /** The document in the form that merges with others. */
  readonly prepared?: PreparedDocument;
}

/** A command to run. */
export interface CommandRequest {
  readonly kind: "command";
  /** Without the program's own name. */
  readonly argv: readonly string[];
  readonly stdin?: string;
  /** Whether standard output is one JSON value. */
  readonly isJson: boolean;
}
