import type { Format } from "./formats/index.ts";

/** A model gets this besides the task: a text at the start, and tools to call. */
export interface Toolbox {
  /** Rules and names, from the tools' own help. */
  readonly system: string;
  /** The tools in the format of the endpoint. */
  readonly tools: readonly unknown[];
  /** Runs a tool. Never throws: errors are in the answer. */
  run(
    name: string,
    input: unknown,
    signal: AbortSignal,
  ): Promise<{ readonly text: string; readonly isError: boolean }>;
}

export type FormatName = Format["name"];

/** A tool in the format of an endpoint. */
export function toolFor(
  format: FormatName,
  tool: { readonly name: string; readonly description: string; readonly schema: object },
): unknown {
  const { name, description, schema } = tool;
  if (format === "anthropic") return { name, description, input_schema: schema };
  return { type: "function", function: { name, description, parameters: schema } };
}
