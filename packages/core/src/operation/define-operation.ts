import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { Static } from "typebox";
import type { JsonSchema, ResponseEnvelope } from "../envelope/index.ts";
import { isStandardSchema, toJsonSchema, parseStandard } from "../schema/index.ts";
import type { StandardSchema } from "../schema/index.ts";
import type { AccessControl } from "./access.ts";
import { EFFECTS, checkId } from "./operation.ts";
import type { Effect, LocalRun, Operation, OperationContext, OperationSpec } from "./operation.ts";

/**
 * TypeBox schemas are JSON Schema, but their types are interfaces, which have no index
 * signature.
 */
type TypeBoxSchema = { readonly "~kind": string } | { readonly "~unsafe": unknown };

/** JSON Schema (including TypeBox), or a Standard Schema that can produce JSON Schema. */
export type AnySchema = JsonSchema | TypeBoxSchema | StandardSchema;

/** The type that a schema describes: the handler's input, and the type that it must return. */
export type Infer<S> =
  S extends StandardSchemaV1<infer _Input, infer Output>
    ? Output
    : S extends boolean
      ? unknown
      : S extends object
        ? Static<S>
        : unknown;

/** The type that a caller passes in, before a schema library transforms it. */
export type InferCaller<S> =
  S extends StandardSchemaV1<infer Input, infer _Output> ? Input : Infer<S>;

/** A plain value, or an envelope that the handler created itself. */
type Returned<T> = T | ResponseEnvelope<T>;

interface Description<Id extends string, I extends AnySchema, O extends AnySchema> {
  /** The id: two or more words separated by dots, such as `issue.create`. */
  readonly id: Id;
  /** One sentence that says what the operation does. */
  readonly description: string;
  /** `read`, `write` or `destructive` (default: `write`, the safe assumption). */
  readonly effect?: Effect;
  /** Whether a repeat is harmless (default: true for a read, otherwise false). */
  readonly idempotent?: boolean;
  /** Schema of the input: JSON Schema or a Standard Schema (default: any value). */
  readonly input?: I;
  /** Schema of the result (default: any value). */
  readonly output?: O;
  /** The rights that a caller needs (default: none). */
  readonly access?: AccessControl;
  /** Alternative names of inputs, by the name in the schema (default: none). */
  readonly aliases?: Readonly<Record<string, readonly string[]>>;
  /** Whether undeclared members of the result are removed (default: false). */
  readonly strip?: boolean;
  /** Whether lists show the operation (default: true). */
  readonly exposed?: boolean;
  /** Hints for the caller (default: none). */
  readonly notes?: readonly string[];
}

// Without NoInfer, the compiler tries to infer the schema from the handler's types, which
// creates 150,000 types per operation.
/** An operation as it is passed to defineOperation. */
export interface OperationDefinition<
  I extends AnySchema,
  O extends AnySchema,
  Id extends string = string,
> extends Description<Id, I, O> {
  /** Runs the operation. May return a value, a promise or a ResponseEnvelope. */
  readonly handler: (
    input: NoInfer<Infer<I>>,
    context: OperationContext,
  ) => NoInfer<Returned<Infer<O>> | Promise<Returned<Infer<O>>>>;
}

/** A subscription as it is passed to defineSubscription. */
export interface SubscriptionDefinition<
  I extends AnySchema,
  O extends AnySchema,
  Id extends string = string,
> extends Description<Id, I, O> {
  /** Runs the subscription: yields one value after the other. */
  readonly handler: (
    input: NoInfer<Infer<I>>,
    context: OperationContext,
  ) => AsyncIterable<NoInfer<Returned<Infer<O>>>>;
}

/** The input schema of an operation that declares none. */
export const ANY_INPUT: JsonSchema = { type: "object", additionalProperties: true };

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

function given<T extends object>(facts: T): Given<T> {
  const known = Object.entries(facts).filter(([, value]) => value !== undefined);
  return Object.fromEntries(known) as Given<T>;
}

function buildSpec(
  definition: Description<string, AnySchema, AnySchema>,
  kind: OperationSpec["kind"],
): OperationSpec {
  checkId(definition.id);
  const { input = ANY_INPUT, output = true, effect = "write" } = definition;
  if (!EFFECTS.includes(effect))
    throw new TypeError(`"${String(effect)}" is not an effect; use ${EFFECTS.join(", ")}`);
  if (definition.access?.action !== undefined && definition.access.resource === undefined) {
    throw new TypeError(
      `${definition.id} has access.action without access.resource: name the resource`,
    );
  }
  const { access, aliases, strip, exposed, notes } = definition;
  const parseInput = isStandardSchema(input)
    ? (value: unknown) => parseStandard(input, value)
    : undefined;
  return {
    id: definition.id,
    description: definition.description,
    effect,
    idempotent: definition.idempotent ?? effect === "read",
    kind,
    inputSchema: toJsonSchema(input, "input"),
    outputSchema: toJsonSchema(output, "output"),
    ...given({ access, aliases, strip, exposed, notes, parseInput }),
  };
}

/**
 * Defines an operation. The handler's types follow from the schemas.
 *
 * @example
 * ```ts
 * import { createWaybill, defineOperation } from "@waybill/core";
 *
 * const add = defineOperation({
 *   id: "math.add",
 *   description: "Add two numbers",
 *   effect: "read",
 *   input: {
 *     type: "object",
 *     required: ["a", "b"],
 *     properties: { a: { type: "number" }, b: { type: "number" } },
 *   },
 *   output: { type: "object", required: ["sum"], properties: { sum: { type: "number" } } },
 *   handler: ({ a, b }) => ({ sum: a + b }),
 * });
 * const waybill = createWaybill({ operations: [add] });
 * const { data } = await waybill.execute("math.add", { a: 1, b: 2 });
 * console.log(data?.sum);
 * ```
 *
 * ```text
 * 3
 * ```
 */
export function defineOperation<
  const Id extends string,
  const I extends AnySchema = JsonSchema,
  const O extends AnySchema = true,
>(definition: OperationDefinition<I, O, Id>): Operation<InferCaller<I>, Infer<O>, Id> {
  return {
    spec: buildSpec(definition, "call"),
    run: { kind: "local", handler: definition.handler as LocalRun["handler"] },
  };
}

/**
 * Defines a subscription, which yields values until it ends or is cancelled.
 *
 * @example
 * ```ts
 * import { createWaybill, defineSubscription } from "@waybill/core";
 *
 * const ticks = defineSubscription({
 *   id: "clock.ticks",
 *   description: "Count to two",
 *   handler: async function* () {
 *     yield 1;
 *     yield 2;
 *   },
 * });
 * const waybill = createWaybill({ operations: [ticks] });
 * for await (const { data } of waybill.subscribe("clock.ticks", {})) console.log(data);
 * ```
 *
 * ```text
 * 1
 * 2
 * ```
 */
export function defineSubscription<
  const Id extends string,
  const I extends AnySchema = JsonSchema,
  const O extends AnySchema = true,
>(definition: SubscriptionDefinition<I, O, Id>): Operation<InferCaller<I>, Infer<O>, Id> {
  return {
    spec: buildSpec(definition, "subscription"),
    run: { kind: "local", handler: definition.handler as LocalRun["handler"] },
  };
}
