import type { Identity } from "../../operation/index.ts";
import type { CallRequest } from "../call/call.ts";

/** The run whose calls these are. */
export interface ProgramRun {
  /** The capability that runs: `code.run`, or the id of a saved program. */
  readonly id: string;
  readonly requestId: string;
  readonly identity: Identity | undefined;
  /** Members of the request of every call in the run. */
  readonly inherited: CallRequest;
}
