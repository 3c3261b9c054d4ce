import type { LocalRun, OperationRun } from "../operation/index.ts";
import type { CodeOperation } from "./code-operation.ts";
import type { RoutedOperation } from "./routed-operation.ts";
import type { SteppedOperation } from "./stepped-operation.ts";

/** Every way in which an operation can be done. */
export type KnownRun = LocalRun | RoutedOperation | SteppedOperation | CodeOperation;

/** An operation says only of which kind its run is; from here on it is known what is in it. */
export function knownRun(run: OperationRun): KnownRun {
  return run as KnownRun;
}
