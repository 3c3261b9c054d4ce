import type { Readable, Writable } from "node:stream";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { buildServer } from "./build-server.ts";
import { DEFAULT_PROGRESS_MS } from "./options.ts";
import type { McpServerOptions } from "./options.ts";
import { requestStates } from "./request-state.ts";
import { waybillSurface } from "./waybill-surface.ts";

export interface McpStdioOptions extends McpServerOptions {
  readonly stdin: Readable;
  /** Carries messages and nothing else. */
  readonly stdout: Writable;
}

export interface McpStdioServer {
  /** Resolves when the client has gone, or `close` was called. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

/** Serves one client, whichever era it speaks, until it closes its end. */
export function serveMcpStdio(options: McpStdioOptions): McpStdioServer {
  const { waybill, version, stdin, stdout, progressMs = DEFAULT_PROGRESS_MS } = options;
  const surface = waybillSurface(options);
  const parts = { surface, version, waybill, states: requestStates(), progressMs };
  const transport = new StdioServerTransport(stdin, stdout);
  const handle = serveStdio(() => buildServer(parts), { transport });
  const closed = new Promise<void>((resolve) => {
    for (const event of ["end", "close", "error"]) stdin.once(event, () => resolve());
  });
  let closing: Promise<void> | undefined;
  return {
    closed,
    async close() {
      stdin.pause();
      await (closing ??= handle.close());
    },
  };
}
