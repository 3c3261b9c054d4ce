import { openapiSource } from "@waybill/adapters/openapi";
import type { OpenApiSource } from "@waybill/adapters/openapi";
import type { OpenapiSourceConfig } from "@waybill/state";
import type { SecretSource } from "./secrets.ts";
import type { Surroundings } from "./surroundings.ts";
import { userAgent } from "./surroundings.ts";

/** An API by its description. It is on this machine's network only where that was said. */
export function openSource(
  name: string,
  config: OpenapiSourceConfig,
  around: Surroundings,
): OpenApiSource {
  const { document, server, hosts, allow_private } = config;
  const credentials: Record<string, SecretSource> = {};
  for (const [scheme, credential] of Object.entries(config.credentials ?? {})) {
    credentials[scheme] = around.secrets.source(credential);
  }
  return openapiSource({
    name,
    ...(URL.canParse(document) ? { url: document } : { file: document }),
    credentials,
    transport: around.transport(allow_private),
    cache: around.documents,
    handles: around.handles,
    userAgent: userAgent(),
    ...(server !== undefined && { server }),
    ...(hosts !== undefined && { hosts }),
  });
}
