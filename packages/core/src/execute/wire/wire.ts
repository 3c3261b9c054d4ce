import { ResultEnvelopeSchema, fail, localEnvelope } from "../../envelope/index.ts";
import type { AnswerMeta, ResponseEnvelope, ResultEnvelope } from "../../envelope/index.ts";
import { defineOperation } from "../../operation/index.ts";
import type {
  Identity,
  Operation,
  OperationContext,
  OperationSpec,
} from "../../operation/index.ts";
import { OperationRegistry } from "../operation-registry.ts";
import type { ExecuteOptions } from "../options/execute-options.ts";
import type { Waybill } from "../waybill.ts";

/** The id under which other processes call `execute` itself. */
export const EXECUTE_ID = "waybill.execute";

/** A Waybill that is served to other processes. */
export interface WireWaybill {
  /** `waybill.execute`, and every capability under its own id. */
  readonly registry: OperationRegistry;
  /** The operations that it serves, with the schemas that validate calls. */
  readonly specs: readonly OperationSpec[];
}

type CallerInfo = Pick<OperationContext, "identity" | "deadline" | "idempotencyKey" | "signal">;

/**
 * Converts the deadline, key and signal of a request to options of `execute`. Other options of
 * the caller are kept.
 */
function optionsFrom(facts: CallerInfo, given: ExecuteOptions = {}): ExecuteOptions {
  const { deadline, idempotencyKey, signal } = facts;
  const left = deadline === undefined ? Infinity : Math.max(1, deadline - Date.now());
  const deadline_ms = Math.min(left, given.deadline_ms ?? Infinity);
  return {
    ...given,
    signal,
    ...(deadline_ms < Infinity && { deadline_ms }),
    ...(idempotencyKey !== undefined && { idempotency_key: idempotencyKey }),
  };
}

/** Keeps one Waybill per caller. Surfaces pass the same identity object for the same caller. */
class Callers {
  readonly #waybill: Waybill;
  readonly #byIdentity = new WeakMap<Identity, Waybill>();

  constructor(waybill: Waybill) {
    this.#waybill = waybill;
  }

  of({ identity }: CallerInfo): Waybill {
    if (identity === undefined) return this.#waybill;
    const known = this.#byIdentity.get(identity);
    if (known !== undefined) return known;
    const made = this.#waybill.as(identity);
    this.#byIdentity.set(identity, made);
    return made;
  }
}

/**
 * The operation that runs `execute`. Its data is the ResultEnvelope, so callers in other
 * processes see attempts, outcome and replay.
 */
function executeBy(callers: Callers): Operation {
  return defineOperation({
    id: EXECUTE_ID,
    description: "Call a capability by id. The data is its ResultEnvelope.",
    input: {
      type: "object",
      required: ["capability_id"],
      properties: { capability_id: { type: "string" }, params: true, options: { type: "object" } },
      additionalProperties: false,
    },
    output: ResultEnvelopeSchema,
    handler: ({ capability_id, params, options }, context) => {
      const given = optionsFrom(context, options);
      return callers.of(context).execute(capability_id, params, given);
    },
  });
}

function callerInfo({ meta }: ResultEnvelope): AnswerMeta {
  const { pagination, truncated, limits, next } = meta;
  return {
    ...(pagination !== undefined && { pagination }),
    ...(truncated !== undefined && { truncated }),
    ...(limits !== undefined && { limits }),
    ...(next !== undefined && { next }),
  };
}

/**
 * Converts a result for the call protocol: returns the data in an envelope, or throws the error.
 */
function getAnswer(id: string, result: ResultEnvelope): ResponseEnvelope {
  if (!result.ok) {
    const { code, message, details } = result.error;
    throw fail(code, message, details);
  }
  const envelope = localEnvelope(result.data, id, callerInfo(result));
  const { warnings } = result.meta;
  if (warnings !== undefined) envelope.meta.warnings = warnings;
  return envelope;
}

/**
 * One capability under its own id. Its schemas accept everything, because `execute` validates
 * the input.
 */
function capabilityOperation(callers: Callers, spec: OperationSpec): Operation {
  const { id, description, effect, idempotent, kind } = spec;
  const open = { id, description, effect, idempotent, kind, inputSchema: true, outputSchema: true };
  if (kind === "subscription") {
    return {
      spec: open,
      run: {
        kind: "local",
        handler: (input, context) => {
          const { deadline, signal } = context;
          const limits = deadline === undefined ? { signal } : { signal, deadline };
          return callers.of(context).subscribe(id, input, limits);
        },
      },
    };
  }
  return {
    spec: open,
    run: {
      kind: "local",
      handler: async (input, context) => {
        const calling = callers.of(context).execute(id, input, optionsFrom(context));
        return getAnswer(id, await calling);
      },
    },
  };
}

/**
 * Creates the operations that a surface serves for a Waybill. Policy, keys and approvals apply as
 * within one process.
 */
export async function wireWaybill(waybill: Waybill): Promise<WireWaybill> {
  const registry = new OperationRegistry();
  const callers = new Callers(waybill);
  const execute = executeBy(callers);
  registry.register(execute);
  const specs = (await waybill.operations()).filter(({ id }) => id !== EXECUTE_ID);
  for (const spec of specs) registry.register(capabilityOperation(callers, spec));
  return { registry, specs: [execute.spec, ...specs] };
}
