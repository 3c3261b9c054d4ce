import type { ToolEnvelope } from "@waybill/core";

/** Tools with their own envelope that another package provides, such as those of the code graph. */
export interface Toolbox {
  readonly tools: readonly {
    readonly name: string;
    readonly description: string;
    readonly inputSchema: object;
  }[];
  call(
    name: string,
    args: Readonly<Record<string, unknown>>,
    options: { readonly signal: AbortSignal },
  ): Promise<ToolEnvelope>;
}
