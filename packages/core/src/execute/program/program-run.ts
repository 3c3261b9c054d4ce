import type { Identity } from "../../operation/index.ts";
import type { CallRequest } from "../call/call.ts";

/** The run of a program that a call belongs to. */
export interface ProgramRun {
  /** The running capability: `code.run`, or the id of a saved program. */
  readonly id: string;
  readonly requestId: string;
  readonly identity: Identity | undefined;
  /** How deeply programs are nested around the calls of this run. */
  readonly depth: number;
  /** Members that the request of every call of the run gets. */
  readonly inherited: CallRequest;
}
