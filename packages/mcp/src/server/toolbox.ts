import type { ToolEnvelope } from "@waybill/core";

/** Ready tools with their own envelope, such as those of the code graph. */
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
