import type { OperationSpec, OperationSummary } from "@waybill/core";

/** One operation of an endpoint, and the document that does it. */
export interface GraphqlOperation {
  readonly summary: OperationSummary;
  /** Worked out when it is asked for. */
  spec(): OperationSpec;
  readonly operationName: string;
  document(): string;
  /** The one root field whose value is the answer; without it the answer is all of `data`. */
  readonly field?: string;
}
