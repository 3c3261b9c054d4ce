import { CallError } from "../envelope/index.ts";
import type { Route } from "../envelope/index.ts";
import type { Operation, OperationSummary } from "../operation/index.ts";
import type { Source, SourceProblem } from "./source.ts";

/** An operation in a line, and how to make the rest of it when that is needed. */
export interface LateOperation {
  /** The operation in a line. */
  readonly summary: OperationSummary;
  /** Makes the whole operation. */
  readonly make: () => Operation;
}

/** Operations of a source that are known by name before they are loaded. */
export interface LateOperations {
  /** The operations that can be offered. */
  readonly operations: Iterable<LateOperation>;
  /** Operations that cannot be offered (default: none). */
  readonly problems?: readonly SourceProblem[];
}

interface Loaded {
  readonly byId: ReadonlyMap<string, LateOperation>;
  readonly problems: readonly SourceProblem[];
}

/** The first operation of an id has it; another one of that id is a problem and not offered. */
function loaded(name: string, { operations, problems = [] }: LateOperations): Loaded {
  const byId = new Map<string, LateOperation>();
  const doubles: SourceProblem[] = [];
  for (const operation of operations) {
    const { id } = operation.summary;
    if (byId.has(id)) {
      doubles.push({ source: name, operationId: id, message: "the source has this id twice" });
    } else byId.set(id, operation);
  }
  return { byId, problems: [...problems, ...doubles] };
}

/** A source that reads what it has when it is first listed; a reading that fails can be repeated. */
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
    if (operation === undefined) {
      throw new CallError("OPERATION_NOT_FOUND", `${name} has no operation called "${id}"`);
    }
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
