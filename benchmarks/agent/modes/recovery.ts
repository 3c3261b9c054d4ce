import { evaluateExpression } from "../play/expression.ts";
import { DeadlineError } from "../programs/deadline.ts";
import type { Asked } from "../programs/ask-github.ts";

/** Messages that blame the connection and not the request. */
const TRANSPORT_FAILURE = /\bHTTP 50[234]\b|\b50[234] Bad Gateway\b|: EOF$|socket hang up/m;

/** Whether a reader of this message would retry, or check first. */
export function isOfTheWay(text: string): boolean {
  return TRANSPORT_FAILURE.test(text);
}

/** As in JMESPath: null, empty values and `false` are false. */
function isTrue(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (typeof value === "object" && value !== null) return Object.keys(value).length > 0;
  return value !== undefined && value !== null && value !== false && value !== "";
}

/** Finds a write in an answer; undefined if it is not there. */
export function getFinding(expression: string, read: unknown): unknown {
  const found = evaluateExpression(expression, read ?? null);
  return isTrue(found) ? found : undefined;
}

/** Turns a broken connection into an answer. A timeout is thrown. */
export function brokenOff(error: unknown): Asked {
  if (error instanceof DeadlineError) throw error;
  return { status: 0, body: "Error: socket hang up" };
}
