import type { PreparedCard, PreparedProgram } from "../cards/index.ts";
import type { Operation, OperationSpec } from "../operation/index.ts";
import type { ProgramRunner } from "./program.ts";

/** An operation that runs a saved program. */
export interface CodeOperation extends PreparedProgram {
  readonly kind: "code";
  readonly spec: OperationSpec;
  /** The runner of programs. Undefined if programs cannot be run. */
  readonly runner: ProgramRunner | undefined;
}

/** Lists the ids that the program calls, for readers of `explain`. */
function noteOn({ calls }: PreparedProgram): string {
  return calls.length === 0
    ? "a saved program that calls nothing"
    : `a saved program that calls ${calls.join(", ")}`;
}

/** Creates the operation of a card with a program. */
export function codeOperation(
  { notes = [] }: PreparedCard,
  program: PreparedProgram,
  spec: OperationSpec,
  runner: ProgramRunner | undefined,
): Operation {
  const noted: OperationSpec = { ...spec, notes: [noteOn(program), ...notes] };
  const run: CodeOperation = { kind: "code", spec: noted, runner, ...program };
  return { spec: noted, run };
}
