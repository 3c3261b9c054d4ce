import { openapiSource } from "@waybill/adapters/openapi";
import type { Source } from "@waybill/core";
import type { OpenapiSourceConfig } from "@waybill/local";
import type { SecretSource } from "./secrets.ts";
import type { Surroundings } from "./surroundings.ts";
import { userAgent } from "./surroundings.ts";

/** An API by its description. It is on this machine's network only where that was said. */
export function openSource(
  name: string,
  config: OpenapiSourceConfig,
  around: Surroundings,
): Source {
  const { document, server, hosts, allow_private: allowPrivate = false } = config;
  const credentials: Record<string, SecretSource> = {};
  for (const [scheme, credential] of Object.entries(config.credentials ?? {})) {
    credentials[scheme] = around.secrets.source(credential);
  }
  return openapiSource({
    name,
    ...(URL.canParse(document) ? { url: document } : { file: document }),
    credentials,
    allowPrivate,
    handles: around.handles,
    userAgent: userAgent(),
    ...(server !== undefined && { server }),
    ...(hosts !== undefined && { hosts }),
  });
}
