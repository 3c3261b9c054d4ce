import { startHttpServer } from "@waybill/server";
import type { HttpServer, HttpServerOptions } from "@waybill/server";
import type { Words } from "./command.ts";
import { numberValue } from "./words/option-values.ts";
import { UsageError } from "./words/usage-error.ts";
import { orUsageError } from "./waybill/index.ts";

const MAX_PORT = 65_535;

export function portIn(words: Words): number | undefined {
  const port = numberValue(words, "port");
  if (port === undefined || port <= MAX_PORT) return port;
  throw new UsageError(`--port must be at most ${MAX_PORT}, not ${port}`);
}

/** Only an error of the address or port is the user's mistake. */
export async function listen(options: HttpServerOptions): Promise<HttpServer> {
  try {
    return await orUsageError(startHttpServer(options));
  } catch (error) {
    const code: unknown = error instanceof Error ? Reflect.get(error, "code") : undefined;
    const place = `${options.hostname ?? "127.0.0.1"}:${options.port ?? 0}`;
    if (code === "EADDRINUSE") throw new UsageError(`Another program already listens on ${place}`);
    if (code === "EACCES" || code === "EADDRNOTAVAIL" || code === "ENOTFOUND") {
      throw new UsageError(`Cannot listen on ${place}`);
    }
    throw error;
  }
}
