import type { Readable, Writable } from "node:stream";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { buildServer } from "./build-server.ts";
import { DEFAULT_PROGRESS_MS } from "./options.ts";
import type { McpServerOptions } from "./options.ts";
import { requestStates } from "./request-state.ts";
import { Rounds } from "./rounds.ts";
import { StdioLines } from "./stdio-lines.ts";
import { waybillSurface } from "./waybill-surface.ts";

export interface McpStdioOptions extends McpServerOptions {
  readonly stdin: Readable;
  /** The output stream. Only messages are written to it. */
  readonly stdout: Writable;
  /** How long earlier requests may take after the end of input (default: 5 s). */
  readonly graceMs?: number;
  /** Called with the client at each of its calls. */
  readonly onClient?: (client: { readonly name: string; readonly version: string }) => void;
}

export interface McpStdioServer {
  /** Resolves when the client has disconnected, or `close` was called. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

const MAX_LINE_BYTES = 10_485_760;
const DEFAULT_GRACE_MS = 5_000;

/** Serves one client of either protocol version, until it closes its end. */
export function serveMcpStdio(options: McpStdioOptions): McpStdioServer {
  const { waybill, version, stdin, stdout, onClient } = options;
  const { progressMs = DEFAULT_PROGRESS_MS, graceMs = DEFAULT_GRACE_MS } = options;
  const surface = waybillSurface(options, true);
  const rounds = new Rounds();
  const states = requestStates();
  const parts = { surface, version, waybill, states, progressMs, rounds, onClient };
  const transport = new StdioLines({ stdin, stdout, maxLineBytes: MAX_LINE_BYTES, graceMs });
  const handle = serveStdio(() => buildServer(parts), { transport });
  return { closed: transport.closed, close: () => handle.close() };
}
