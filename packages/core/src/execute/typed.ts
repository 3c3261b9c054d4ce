import type { ResultEnvelope } from "../envelope/index.ts";
import type { Operation } from "../operation/index.ts";
import type { ExecuteOptions } from "./options/execute-options.ts";

/**
 * The types of capabilities: id → `{ input; output }`. Empty here; `waybill types` writes a file
 * that fills it for the capabilities of a configuration.
 */
// An interface, since only those can be added to from elsewhere.
// oxlint-disable-next-line typescript/no-empty-interface, typescript/no-empty-object-type
/** Types of capabilities by id. `waybill types` writes a file that adds to it. */
export interface Capabilities {}

type Input<Known, Id> = Id extends keyof Known
  ? Known[Id] extends { readonly input: infer Value }
    ? Value
    : unknown
  : unknown;
type Output<Known, Id> = Id extends keyof Known
  ? Known[Id] extends { readonly output: infer Value }
    ? Value
    : unknown
  : unknown;

type Nothing = { readonly [Name in never]: never };

/** The params may be left out where nothing in them is needed. */
type Call<Params> = Nothing extends Params
  ? [params?: Params, options?: ExecuteOptions]
  : [params: Params, options?: ExecuteOptions];

/**
 * A known id, or an id that is only known while the program runs. A literal that is not known is a
 * mistake, and the compiler answers with the known ids.
 */
type Checked<Known, Id> = Id extends keyof Known ? Id : string extends Id ? Id : keyof Known;

type Typed<Known> = <Id extends keyof Known | (string & {})>(
  capability_id: Checked<Known, Id>,
  ...call: Call<Input<Known, Id>>
) => Promise<ResultEnvelope<Output<Known, Id>>>;

/** Calls a capability by id. The ids of `Known` are typed; others are accepted as well. */
export type ExecuteKnown<Known> = <Id extends keyof Known | (string & {})>(
  capability_id: Id,
  ...call: Call<Input<Known, Id>>
) => Promise<ResultEnvelope<Output<Known, Id>>>;

type Untyped = (
  capability_id: string,
  params?: unknown,
  options?: ExecuteOptions,
) => Promise<ResultEnvelope>;

/**
 * Calls a capability by id. Where nothing is known of any, it is no generic function: the type of
 * what a loop pages through would then depend on itself.
 */
export type TypedExecute<Known> = [keyof Known] extends [never] ? Untyped : Typed<Known>;
/** The type of `waybill.execute`. */
export type Execute = TypedExecute<Capabilities>;

/** id → types, for operations that are passed to `createWaybill`. Only literal ids can be known. */
type KnownFrom<Operations extends readonly Operation[]> = {
  [Each in Operations[number] as LiteralId<OperationId<Each>>]: OperationTypes<Each>;
} & AlwaysKnown;
type OperationTypes<Each extends Operation> = NonNullable<Each["~types"]>;
type OperationId<Each extends Operation> = OperationTypes<Each>["id"];
type LiteralId<Id extends string> = string extends Id ? never : Id;

/** The capabilities that every Waybill adds. */
interface AlwaysKnown {
  "result.read": {
    input: { handle: string; cursor?: string; path?: string; search?: string };
    output: unknown;
  };
}

/**
 * The ids that `execute` knows: the operations passed in, and those that `waybill types` has
 * written.
 */
export type ExecuteWith<
  Operations extends readonly Operation[],
  Sources extends readonly unknown[],
> = [LiteralId<OperationId<Operations[number]>>] extends [never]
  ? Execute
  : Sources extends readonly []
    ? TypedExecute<KnownFrom<Operations> & Capabilities>
    : [keyof Capabilities] extends [never]
      ? ExecuteKnown<KnownFrom<Operations>>
      : Typed<KnownFrom<Operations> & Capabilities>;
