// These names are the public API. Everything else may change without notice.
export type {
  AnthropicTool,
  GeminiTool,
  LangchainTool,
  OpenaiResponsesTool,
  OpenaiTool,
  SdkFormat,
  ToolTypes,
  VercelTool,
} from "./formats.ts";
export type {
  AnthropicImage,
  GeminiImage,
  ImageForms,
  OpenaiImage,
  OpenaiResponsesImage,
  VercelImage,
} from "./images.ts";
export { toolDefinitions } from "./tool-definitions.ts";
export type {
  RunToolOptions,
  ToolAnswer,
  ToolDefinitions,
  ToolDefinitionsOptions,
} from "./tool-definitions.ts";
