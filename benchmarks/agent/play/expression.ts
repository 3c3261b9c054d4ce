import { search } from "@jmespath-community/jmespath";
import type { JSONValue } from "@jmespath-community/jmespath";

/** The value of a JMESPath expression. Data that is not JSON is left out. */
export function evaluateExpression(expression: string, data: unknown): unknown {
  return search(JSON.parse(JSON.stringify(data)) as JSONValue, expression);
}

/** A program's output as JSON, or as text if it is not JSON. */
export function parsePrinted(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
