import { isRecord } from "@waybill/core/schema";
import { withoutHash } from "./reading.ts";
import type { Reading } from "./reading.ts";
import { refuseInput } from "./refuse-input.ts";

/** Ids that GitHub counts over all repositories, so they can be larger than other numbers. */
const OF_ALL: readonly string[] = ["runId", "jobId"];
/** The largest `Int` of GraphQL. A larger number cannot exist. */
const HIGHEST = 2_147_483_647;

/** Whether the input may also be text, such as the title of a milestone. */
function mayBeText(schema: unknown): boolean {
  return isRecord(schema) && Array.isArray(schema["type"]) && schema["type"].includes("string");
}

/**
 * Reads a number, also from text. Impossible numbers are refused here, with a better message than
 * the schema's.
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
