import type { Identity } from "../../operation/index.ts";
import type { CallRequest } from "../call/call.ts";

/** The run that these calls belong to. */
export interface ProgramRun {
  /** The running capability: `code.run`, or the id of a saved program. */
  readonly id: string;
  readonly requestId: string;
  readonly identity: Identity | undefined;
  /** Members that every call of the run takes into its request. */
  readonly inherited: CallRequest;
}
