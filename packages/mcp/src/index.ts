// Every name here is a promise. Everything else may change without notice.
// The whole of each side is in @waybill/mcp/client and @waybill/mcp/server.
export { createMCPClient, mapMCPContentBlocks, mcpSource } from "./client/index.ts";
export type { MCPClient, McpSourceSettings } from "./client/index.ts";
export { createMcpHttpHandler, serveMcpStdio } from "./server/index.ts";
export type { McpHttpOptions, McpStdioOptions } from "./server/index.ts";
