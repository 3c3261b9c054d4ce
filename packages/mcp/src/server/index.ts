// These names are the public API. Everything else may change without notice.
export { createMcpHttpHandler } from "./http-handler.ts";
export type { McpHttpHandler, McpHttpOptions, McpRequestInfo } from "./http-handler.ts";
export type { CodeDoor, McpServerOptions } from "./options.ts";
export { TOOL_FORMATS } from "./project/formats.ts";
export type { ToolFormat } from "./project/formats.ts";
export { toolProblems } from "./rules/tool-rules.ts";
export type { ToolDefinition } from "./rules/tool-rules.ts";
export { serveMcpStdio } from "./stdio.ts";
export type { McpStdioOptions, McpStdioServer } from "./stdio.ts";
export type { Toolbox } from "./toolbox.ts";
