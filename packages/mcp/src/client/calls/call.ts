import type { McpSourceSettings, ToolProgress } from "../settings.ts";
import type { Tool } from "../tools/tool.ts";

/** One call of one tool. */
export interface ToolCall {
  readonly tool: Tool;
  readonly params: Readonly<Record<string, unknown>>;
  readonly settings: McpSourceSettings;
  /** Whether sending the call twice is harmless. Then a kept-alive connection may be used. */
  readonly isRepeatable: boolean;
  readonly signal: AbortSignal;
  /** When the call must end, in milliseconds since the epoch. */
  readonly deadline: number | undefined;
  /** How long the server may be silent. */
  readonly timeoutMs: number;
  /** The maximum duration, if there is no earlier deadline. */
  readonly maxMs: number;
  /** Awaited before the first byte is sent. */
  readonly beforeSend: () => Promise<void>;
  readonly onProgress: (progress: Omit<ToolProgress, "operationId">) => void;
}
