import type { LocalRun, OperationContext, OperationRun } from "../operation/index.ts";
import type { RoutedOperation } from "./routed-operation.ts";
import type { SteppedOperation } from "./stepped-operation.ts";

/** An operation that is done by a program, which the package of the sandbox brings and runs. */
interface CodeOperation {
  readonly kind: "code";
  run(input: unknown, context: OperationContext): unknown;
}

/** Every way in which an operation can be done. */
export type KnownRun = LocalRun | RoutedOperation | SteppedOperation | CodeOperation;

/** An operation says only of which kind its run is; from here on it is known what is in it. */
export function knownRun(run: OperationRun): KnownRun {
  return run as KnownRun;
}
