import type { Dispatcher, CallOptions } from "./call-context.ts";
import type { Entry, Schemas } from "./entry.ts";

/** An operation, and an input that is valid for it. */
export interface CheckedInput {
  readonly entry: Entry;
  readonly schemas: Schemas;
  readonly input: unknown;
  readonly warnings: readonly string[];
}

/** Operations that can be found and called. */
export interface Registry extends Dispatcher {
  /** Finds an operation, or throws OPERATION_NOT_FOUND with similar ids. */
  resolve(id: string): Entry;
  /** Finds the operation and validates the input like a call. Throws if it is invalid. */
  check(id: string, input: unknown, options: CallOptions): Promise<CheckedInput>;
}
