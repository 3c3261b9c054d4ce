import { search } from "@jmespath-community/jmespath";
import type { JSONValue } from "@jmespath-community/jmespath";

/** The value of a JMESPath expression; what is no JSON in the data is left out. */
export function evaluateExpression(expression: string, data: unknown): unknown {
  return search(JSON.parse(JSON.stringify(data)) as JSONValue, expression);
}

/** Reads a program's output as JSON; if it is no JSON, as text. */
export function parsePrinted(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
