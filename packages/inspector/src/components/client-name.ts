import type { CallSurface } from "@waybill/server";

/** The names of clients, by the surface that their calls come from. */
export const CLIENT_NAMES: Readonly<Record<CallSurface, string>> = {
  mcp: "MCP",
  http: "HTTP",
  nats: "NATS",
  run: "Command",
  chain: "Chain command",
  code: "Program",
  inspect: "This page",
  demo: "Tour",
  program: "Your program",
};

export function clientName(via: CallSurface | undefined): string {
  return via === undefined ? "Unknown" : CLIENT_NAMES[via];
}
