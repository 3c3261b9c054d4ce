import type { Format } from "./formats/index.ts";

/** A model's equipment besides the task: text to read at the start, and tools to call. */
export interface Toolbox {
  /** Rules and names, as the door's own help has them. */
  readonly system: string;
  /** In the form of the endpoint. */
  readonly tools: readonly unknown[];
  /** Never throws: what is wrong is in the answer. */
  run(
    name: string,
    input: unknown,
    signal: AbortSignal,
  ): Promise<{ readonly text: string; readonly isError: boolean }>;
}

export type FormatName = Format["name"];

/** A tool in the form of an endpoint. */
export function toolFor(
  format: FormatName,
  tool: { readonly name: string; readonly description: string; readonly schema: object },
): unknown {
  const { name, description, schema } = tool;
  if (format === "anthropic") return { name, description, input_schema: schema };
  return { type: "function", function: { name, description, parameters: schema } };
}
