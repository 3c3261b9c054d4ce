// These names are the public API. Everything else may change without notice.
export type {
  AnthropicTool,
  GeminiTool,
  LangchainTool,
  OpenaiResponsesTool,
  OpenaiTool,
  SdkFormat,
  ToolsOf,
  VercelTool,
} from "./formats.ts";
export type { ToolAnswer } from "./four-runs.ts";
export { toolDefinitions } from "./tool-definitions.ts";
export type {
  RunToolOptions,
  ToolDefinitions,
  ToolDefinitionsOptions,
} from "./tool-definitions.ts";
