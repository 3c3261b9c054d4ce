import { startHttpServer } from "@waybill/server";
import type { HttpServer, HttpServerOptions } from "@waybill/server";
import type { Words } from "./command.ts";
import { listenError } from "./listen-error.ts";
import { numberValue } from "./words/option-values.ts";
import { UsageError } from "./words/usage-error.ts";
import { orUsageError } from "./waybill/index.ts";

const MAX_PORT = 65_535;

export function portIn(words: Words): number | undefined {
  const port = numberValue(words, "port");
  if (port === undefined || port <= MAX_PORT) return port;
  throw new UsageError(`--port must be at most ${MAX_PORT}, not ${port}`);
}

export async function listen(options: HttpServerOptions): Promise<HttpServer> {
  try {
    return await orUsageError(startHttpServer(options));
  } catch (error) {
    throw listenError(error, `${options.hostname ?? "127.0.0.1"}:${options.port ?? 0}`);
  }
}
