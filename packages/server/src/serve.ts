import { once } from "node:events";
import { createServer } from "node:http";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { CallError } from "@waybill/core";
import { createHttpApp } from "./app.ts";
import { Drain } from "./drain.ts";
import { handleLineEnds } from "./line-ends.ts";
import { DEFAULT_LIMITS } from "./options.ts";
import type { HttpAppOptions, HttpLimits } from "./options.ts";

export interface HttpServerOptions extends HttpAppOptions {
  /** The port to listen on (default: a free port) */
  readonly port?: number;
  /** Address to listen on (default: only this machine). */
  readonly hostname?: string;
  /**
   * Called when requests are still running after `graceMs`, with the error for their callers. It
   * aborts calls that the server does not know, such as those of MCP clients.
   */
  readonly onOverdue?: (error: CallError) => void;
}

export interface HttpServer {
  readonly url: string;
  /**
   * Stops accepting connections and answers the requests on those that it has. Calls that take
   * longer than `graceMs` are aborted, and their callers are told so.
   */
  close(): Promise<void>;
}

const LOOPBACK = ["127.0.0.1", "::1", "localhost"];
const CHECK_MS = 1_000;

/**
 * Checks that a server that other machines can reach has configured its callers and its host
 * names.
 */
function assertReach({ hostname = "127.0.0.1", tokens = [], oidc = [], hosts }: HttpServerOptions) {
  if (LOOPBACK.includes(hostname)) return;
  if (tokens.length === 0 && oidc.length === 0) {
    throw new CallError(
      "VALIDATION_ERROR",
      `To listen on ${hostname}, configure tokens: "tokens" or "oidc" under "http"`,
    );
  }
  if (hosts === undefined) {
    throw new CallError(
      "VALIDATION_ERROR",
      `To listen on ${hostname}, configure host names: "hosts" under "http"`,
    );
  }
}

function getUrl(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo;
  return `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
}

/** Starts listening (default: only for this machine). */
export async function startHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  assertReach(options);
  const limits: HttpLimits = { ...DEFAULT_LIMITS, ...options.limits };
  const app = createHttpApp(options);
  const listener = getRequestListener((request, env) => app.fetch(request, env));
  const server = createServer({
    requestTimeout: limits.requestMs,
    headersTimeout: limits.requestMs,
    connectionsCheckingInterval: Math.min(limits.requestMs, CHECK_MS),
  });
  handleLineEnds(server, limits.halfOpenMs);
  const drain = new Drain(server);
  server.on("request", (incoming, outgoing) => void listener(incoming, outgoing));
  server.listen(options.port ?? 0, options.hostname ?? "127.0.0.1");
  await once(server, "listening");
  let closing: Promise<void> | undefined;
  return {
    url: getUrl(server),
    close() {
      app.end();
      return (closing ??= drain.close(limits, (error) => options.onOverdue?.(error)));
    },
  };
}
