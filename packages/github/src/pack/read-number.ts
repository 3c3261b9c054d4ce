import { isRecord } from "@waybill/core/schema";
import { withoutHash } from "./reading.ts";
import type { Reading } from "./reading.ts";
import { refuseInput } from "./refuse-input.ts";

/** GitHub counts these over everybody's, beyond what the others can be. */
const OF_ALL: readonly string[] = ["runId", "jobId"];
/** The largest `Int` of GraphQL; other routes would request a number that cannot exist. */
const HIGHEST = 2_147_483_647;

/** A milestone has a title as well. */
function mayBeText(schema: unknown): boolean {
  return isRecord(schema) && Array.isArray(schema["type"]) && schema["type"].includes("string");
}

/**
 * A number as it is or as text. One that nothing can have is refused here: the schema would say of
 * a text only that it is no number, and knows no highest.
 */
export function readNumber({ id, written, properties }: Reading, name: string): unknown {
  const value = withoutHash(written[name]);
  if (typeof value !== "string" && typeof value !== "number") return value;
  if (mayBeText(properties[name])) return /^\d+$/.test(String(value)) ? Number(value) : value;
  const highest = OF_ALL.includes(name) ? Number.MAX_SAFE_INTEGER : HIGHEST;
  const isNumber = /^\s*[1-9]\d*\s*$/.test(String(value)) && Number(value) <= highest;
  if (isNumber) return value;
  const given = JSON.stringify(value).slice(0, 100);
  throw refuseInput(id, name, `must be a whole number from 1 to ${highest}, not ${given}`);
}
