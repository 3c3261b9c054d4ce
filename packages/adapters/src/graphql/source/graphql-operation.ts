import type { OperationSpec, OperationSummary } from "@waybill/core";

type Params = Readonly<Record<string, unknown>>;

/** A document with its variables, ready to send. */
export interface OwnRequest {
  readonly operationName?: string | undefined;
  readonly document: string;
  readonly variables: Params;
  /** The id under which the endpoint stores the document. */
  readonly documentId?: string | undefined;
}

/** One operation of an endpoint, and its document. */
export interface GraphqlOperation {
  readonly summary: OperationSummary;
  /** The full description, computed on request. */
  spec(): OperationSpec;
  /**
   * Builds the request. Throws a VALIDATION error for a selection or a document that does not
   * match the schema.
   */
  request(params: Params): OwnRequest;
  /** The root field whose value is the answer. If undefined, the answer is all of `data`. */
  readonly field?: string;
}
