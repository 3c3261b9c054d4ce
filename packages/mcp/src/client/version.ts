/** The version that Waybill sends to MCP servers. `npm run generate` writes it. */
export const VERSION = "0.1.0";
