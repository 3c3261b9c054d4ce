import type { OperationSpec, OperationSummary } from "@waybill/core";

type Params = Readonly<Record<string, unknown>>;

/** A document with its variables, as it is sent. */
export interface OwnRequest {
  readonly operationName?: string | undefined;
  readonly document: string;
  readonly variables: Params;
  /** The id under which the endpoint keeps the document. */
  readonly documentId?: string | undefined;
}

/** One operation of an endpoint, and the document that does it. */
export interface GraphqlOperation {
  readonly summary: OperationSummary;
  /** Worked out when it is requested. */
  spec(): OperationSpec;
  /** Throws a VALIDATION error for a selection or a document that the schema does not know. */
  request(params: Params): OwnRequest;
  /** The one root field whose value is the answer; without it the answer is all of `data`. */
  readonly field?: string;
}
