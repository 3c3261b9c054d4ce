import { loadChecker } from "@waybill/core/schema";
import type { JsonSchema } from "@waybill/core";

/** Where a name lives, and what shows that it does what it promises. */
export interface Promised {
  readonly from: `@waybill/${string}`;
  /** The intended difference from the design that the name comes from. */
  readonly differs?: string;
  /** For a value: its behaviour. A type has none; that it is exported is checked. */
  readonly shows?: () => unknown;
}

export const here = "@waybill/core";
export const type: Promised = { from: here };

export async function fits(schema: JsonSchema, value: unknown): Promise<boolean> {
  return (await loadChecker()).compile(schema).check(value);
}
