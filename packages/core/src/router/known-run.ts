import type { LocalRun, OperationRun } from "../operation/index.ts";
import type { CodeOperation } from "./code-operation.ts";
import type { RoutedOperation } from "./routed-operation.ts";
import type { SteppedOperation } from "./stepped-operation.ts";

/** Every way to run an operation. */
export type KnownRun = LocalRun | RoutedOperation | SteppedOperation | CodeOperation;

/** `OperationRun` hides the members of a run. This function gives the router access to them. */
export function knownRun(run: OperationRun): KnownRun {
  return run as KnownRun;
}
