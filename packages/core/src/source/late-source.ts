import type { Route } from "../envelope/index.ts";
import type { Operation, OperationSummary } from "../operation/index.ts";
import { missingOperation } from "./missing-operation.ts";
import type { Source, SourceProblem } from "./source.ts";

/**
 * The summary of an operation, and a function that creates the whole operation when it is
 * needed.
 */
export interface LateOperation {
  /** The summary of the operation. */
  readonly summary: OperationSummary;
  /** Creates the whole operation. */
  readonly make: () => Operation;
}

/** The operations of a source, listed before they are loaded. */
export interface LateOperations {
  /** The operations that the source offers. */
  readonly operations: Iterable<LateOperation>;
  /** Problems of operations that the source cannot offer (default: none). */
  readonly problems?: readonly SourceProblem[];
}

interface Loaded {
  readonly byId: ReadonlyMap<string, LateOperation>;
  readonly problems: readonly SourceProblem[];
}

/**
 * The first operation with an id gets it. A second one with the same id is reported as a
 * problem.
 */
function loaded(name: string, { operations, problems = [] }: LateOperations): Loaded {
  const byId = new Map<string, LateOperation>();
  const doubles: SourceProblem[] = [];
  for (const operation of operations) {
    const { id } = operation.summary;
    if (byId.has(id)) {
      doubles.push({
        source: name,
        operationId: id,
        message: "the source has two operations with this id; only the first can be called",
      });
    } else byId.set(id, operation);
  }
  return { byId, problems: [...problems, ...doubles] };
}

/** A source that reads its operations when it is first listed. A failed read can be repeated. */
export function lateSource(
  name: string,
  load: () => Promise<LateOperations>,
  route?: Route,
): Source {
  let reading: Promise<Loaded> | undefined;
  let known: Loaded | undefined;
  const made = new Map<string, Operation>();

  const read = async (): Promise<Loaded> => {
    try {
      return (known = loaded(name, await load()));
    } catch (error) {
      reading = undefined;
      throw error;
    }
  };

  const find = (id: string): Operation => {
    const operation = made.get(id) ?? known?.byId.get(id)?.make();
    if (operation === undefined) throw missingOperation(name, id);
    made.set(id, operation);
    return operation;
  };

  return {
    name,
    ...(route !== undefined && { route }),
    async list() {
      const { byId } = await (reading ??= read());
      return [...byId.values()].map(({ summary }) => summary);
    },
    describe: (id) => find(id).spec,
    runOf: (id) => find(id).run,
    problems: () => known?.problems ?? [],
    close: () => Promise.resolve(),
  };
}
