import type { ResultEnvelope } from "../envelope/index.ts";
import type { ExecuteOptions } from "./options.ts";

/**
 * What is known of capabilities while code is written: id → `{ input; output }`. Empty here;
 * `waybill types` writes a file that fills it for the capabilities of a configuration.
 */
// An interface, since only those can be added to from elsewhere.
// oxlint-disable-next-line typescript/no-empty-interface, typescript/no-empty-object-type
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

/** Ids that are known are offered where code is written; any other text is taken as well. */
type Typed<Known> = <Id extends keyof Known | (string & {})>(
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
export type ExecuteOf<Known> = [keyof Known] extends [never] ? Untyped : Typed<Known>;
export type Execute = ExecuteOf<Capabilities>;
