import type { ResultEnvelope } from "../envelope/index.ts";
import type { Operation } from "../operation/index.ts";
import type { ExecuteOptions } from "./options/execute-options.ts";

// An interface, because only interfaces can be extended by other modules.
// oxlint-disable-next-line typescript/no-empty-interface, typescript/no-empty-object-type
/**
 * The types of capabilities, by id: `{ input; output }`. Empty here. `waybill types` writes a
 * file that adds the capabilities of a configuration.
 */
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

/** Makes the params optional if none of them is required. */
type Call<Params> = Nothing extends Params
  ? [params?: Params, options?: ExecuteOptions]
  : [params: Params, options?: ExecuteOptions];

/**
 * A known id, or a string that is only known at run time. For an unknown literal, the compiler
 * error lists the known ids.
 */
type Checked<Known, Id> = Id extends keyof Known ? Id : string extends Id ? Id : keyof Known;

type Typed<Known> = <Id extends keyof Known | (string & {})>(
  capability_id: Checked<Known, Id>,
  ...call: Call<Input<Known, Id>>
) => Promise<ResultEnvelope<Output<Known, Id>>>;

/** Calls a capability by id. Calls with an id of `Known` are typed; other ids are accepted too. */
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
 * Calls a capability by id. If no types are known, the function is not generic: otherwise the type
 * of a variable in a paging loop would depend on itself.
 */
export type TypedExecute<Known> = [keyof Known] extends [never] ? Untyped : Typed<Known>;
/** The type of `waybill.execute`. */
export type Execute = TypedExecute<Capabilities>;

/**
 * Maps ids to types for operations that are passed to `createWaybill`. Only literal ids can be
 * typed.
 */
type KnownFrom<Operations extends readonly Operation[]> = {
  [Each in Operations[number] as LiteralId<OperationId<Each>>]: OperationTypes<Each>;
} & AlwaysKnown;
type OperationTypes<Each extends Operation> = NonNullable<Each["~types"]>;
type OperationId<Each extends Operation> = OperationTypes<Each>["id"];
type LiteralId<Id extends string> = string extends Id ? never : Id;

/** The capabilities that every Waybill has. */
interface AlwaysKnown {
  "result.read": {
    input: { handle: string; cursor?: string; path?: string; search?: string };
    output: unknown;
  };
}

/**
 * The ids that `execute` knows: the operations passed in, and those in the file of `waybill types`.
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
