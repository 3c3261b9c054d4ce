// Every exported name is stable. Everything else may change without notice. @waybill/mcp/client and
// @waybill/mcp/server export all of each side.
export { createMCPClient, mapMCPContentBlocks, mcpSource } from "./client/index.ts";
export type { MCPClient, McpSourceSettings } from "./client/index.ts";
export { createMcpHttpHandler, serveMcpStdio } from "./server/index.ts";
export type { McpHttpOptions, McpStdioOptions } from "./server/index.ts";
