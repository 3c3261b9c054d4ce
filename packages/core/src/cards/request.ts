import type { PreparedDocument } from "./prepared-document.ts";

/**
 * Pure functions that mappings run with `call`, for the rare cases that a mapping cannot
 * express.
 */
export type CardFunctions = Readonly<
  Record<string, (value: unknown, params: Readonly<Record<string, unknown>>) => unknown>
>;

/** The values that the expressions of a card see. */
export interface CardScope {
  /** The input of the call. */
  readonly params: Readonly<Record<string, unknown>>;
  /** Values that the lookups found, by name (default: none). */
  readonly lookup?: Readonly<Record<string, unknown>>;
  /** Facts about the environment (default: none). */
  readonly env?: Readonly<Record<string, unknown>>;
  /** Names of the field groups that were requested (default: none). */
  readonly include?: readonly string[];
  /**
   * The current item of a lookup that is sent once per item. Mappings see it as `$item`
   * (default: none).
   */
  readonly item?: unknown;
  /** The next page, if known; output mappings see it as `$page` (default: none). */
  readonly page?: unknown;
  /** Functions that mappings may call (default: none). */
  readonly functions?: CardFunctions;
}

/** A request as a card describes it, before an adapter sends it. */
export type CardRequest = RestRequest | GraphqlRequest | CommandRequest;

/** A REST request to send. */
export interface RestRequest {
  /** Marks a REST request. */
  readonly kind: "rest";
  /** The HTTP method. */
  readonly method: string;
  /** The encoded path, without a host. */
  readonly path: string;
  /** Query parameters in order. */
  readonly query: readonly (readonly [string, string])[];
  /** Headers by name. */
  readonly headers: Readonly<Record<string, string>>;
  /** A JSON value, or absent. */
  readonly body?: unknown;
}

/** A GraphQL document to send, with its variables. */
export interface GraphqlRequest {
  /** Marks a GraphQL request. */
  readonly kind: "graphql";
  /** Name of the operation. A document with one operation may omit it (default: none). */
  readonly operationName?: string | undefined;
  /** The printed document. */
  readonly document: string;
  /** Variables by name. */
  readonly variables: Readonly<Record<string, unknown>>;
  /** The form of the document that can be merged with others (default: none). */
  readonly prepared?: PreparedDocument;
  /** The id under which the endpoint stores the document (default: its hash, if one is needed). */
  readonly documentId?: string | undefined;
}

/** A command to run. */
export interface CommandRequest {
  /** Marks a command. */
  readonly kind: "command";
  /** The arguments, without the program's name. */
  readonly argv: readonly string[];
  /** Text for standard input (default: nothing). */
  readonly stdin?: string;
  /** Whether standard output is one JSON value. */
  readonly isJson: boolean;
}
