import type { McpSourceSettings, ToolProgress } from "../settings.ts";
import type { Tool } from "../tools/tool.ts";

/** One call of one tool. */
export interface ToolCall {
  readonly tool: Tool;
  readonly params: Readonly<Record<string, unknown>>;
  readonly settings: McpSourceSettings;
  /** Whether sending it twice does no harm, so that a kept connection may be used. */
  readonly isRepeatable: boolean;
  readonly signal: AbortSignal;
  /** Absolute, in milliseconds since the epoch. */
  readonly deadline: number | undefined;
  /** How long the server may be silent. */
  readonly timeoutMs: number;
  /** How long it may take in all, where there is no earlier deadline. */
  readonly maxMs: number;
  /** Awaited before the first byte leaves. */
  readonly beforeSend: () => Promise<void>;
  readonly onProgress: (progress: Omit<ToolProgress, "operationId">) => void;
}
