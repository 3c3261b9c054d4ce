import { evaluateExpression } from "../play/expression.ts";
import { DeadlineError } from "../programs/deadline.ts";
import type { Asked } from "../programs/ask-github.ts";

/** Messages of programs that blame the route and not the request. */
const OF_THE_WAY = /\bHTTP 50[234]\b|\b50[234] Bad Gateway\b|: EOF$|socket hang up/m;

/** Whether trying again, or looking first, is what a reader of this would do. */
export function isOfTheWay(text: string): boolean {
  return OF_THE_WAY.test(text);
}

/** As JMESPath has it: nothing, what is empty and `false` are false. */
function isTrue(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (typeof value === "object" && value !== null) return Object.keys(value).length > 0;
  return value !== undefined && value !== null && value !== false && value !== "";
}

/** Finds a write in what was read; undefined if it is not there. */
export function getFinding(expression: string, read: unknown): unknown {
  const found = evaluateExpression(expression, read ?? null);
  return isTrue(found) ? found : undefined;
}

/** A connection that broke is an answer to be read like any other; one that is stuck is not. */
export function brokenOff(error: unknown): Asked {
  if (error instanceof DeadlineError) throw error;
  return { status: 0, body: "Error: socket hang up" };
}
