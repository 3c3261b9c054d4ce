import { loadChecker } from "@waybill/core/schema";
import type { JsonSchema } from "@waybill/core";

/** Where a name is exported, and what shows that it works. */
export interface Promised {
  readonly from: `@waybill/${string}`;
  /** The intended difference from the design that the name comes from. */
  readonly differs?: string;
  /** The behaviour of a value. A type has none; only its export is checked. */
  readonly shows?: () => unknown;
}

export const here = "@waybill/core";
export const type: Promised = { from: here };

export async function fits(schema: JsonSchema, value: unknown): Promise<boolean> {
  return (await loadChecker()).compile(schema).check(value);
}
