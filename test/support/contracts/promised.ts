import { loadChecker } from "@waybill/core/schema";
import type { JsonSchema } from "@waybill/core";

/** Where a name is exported, and what shows that it works. */
export interface Promised {
  readonly from: `@waybill/${string}`;
  /** How the name differs on purpose from the design that it comes from. */
  readonly differs?: string;
  /** Checks the behaviour of a value. A type has none, so only its export is checked. */
  readonly shows?: () => unknown;
}

export const here = "@waybill/core";
export const type: Promised = { from: here };

export async function fits(schema: JsonSchema, value: unknown): Promise<boolean> {
  return (await loadChecker()).compile(schema).check(value);
}
