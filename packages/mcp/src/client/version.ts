/** The version that MCP servers are told. `npm run generate` writes it. */
export const VERSION = "0.1.0";
