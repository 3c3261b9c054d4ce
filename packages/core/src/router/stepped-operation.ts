import { cardReady, stepsOutput } from "../cards/index.ts";
import type { CardFunctions, MappedOutput, NamedStep, PreparedCard } from "../cards/index.ts";
import { fail } from "../envelope/index.ts";
import type { ResultEnvelope } from "../envelope/index.ts";
import type { Operation, OperationHandler, OperationSpec } from "../operation/index.ts";

/** An operation that is done by calling others. */
export interface SteppedOperation {
  readonly spec: OperationSpec;
  /** Which upstream it keeps its place for in a chain. */
  readonly host: string;
  readonly steps: readonly NamedStep[];
  /** Its data out of what the steps answered. */
  output(
    params: object,
    envelopes: Readonly<Record<string, ResultEnvelope>>,
  ): Promise<MappedOutput>;
}

/** Known to every copy of this package in a process: a source may bring its own. */
const STEPPED = Symbol.for("@waybill/core stepped operation");

/** The steps behind a handler that `steppedOperation` or `steppedHandler` made. */
export function steppedOf(handler: object | undefined): SteppedOperation | undefined {
  if (handler === undefined) return undefined;
  return Reflect.get(handler, STEPPED) as SteppedOperation | undefined;
}

/** The operation with what runs its steps. */
export function steppedHandler(
  stepped: SteppedOperation,
  handler: OperationHandler,
): OperationHandler {
  Object.defineProperty(handler, STEPPED, { value: stepped });
  return handler;
}

function nobodyToRun({ id }: OperationSpec): OperationHandler {
  return () => {
    const hint = "Register it with createWaybill";
    throw fail("ADAPTER_UNSUPPORTED", `${id} is made of steps, which only a Waybill can run`, {
      outcome: "not_applied",
      hint,
    });
  };
}

/** A card made of steps as an operation; whose Waybill it is in gives it its handler. */
export function steppedOperation(
  card: PreparedCard,
  spec: OperationSpec,
  { host = "", functions }: { readonly host?: string; readonly functions?: CardFunctions },
): Operation {
  const stepped: SteppedOperation = {
    spec,
    host,
    steps: card.steps?.calls ?? [],
    async output(params, envelopes) {
      await cardReady(card);
      return stepsOutput(card, params, envelopes, functions);
    },
  };
  return { spec, handler: steppedHandler(stepped, nobodyToRun(spec)) };
}
