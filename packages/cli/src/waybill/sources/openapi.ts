import { openapiSource } from "@waybill/adapters/openapi";
import type { OpenApiSource } from "@waybill/adapters/openapi";
import type { OpenapiSourceConfig } from "@waybill/state";
import { connectCommand } from "../../connect/connect-command.ts";
import type { SecretSource } from "./secrets.ts";
import type { Surroundings } from "./surroundings.ts";
import { userAgent } from "./surroundings.ts";

/** The token of the connected account, for the schemes that it was made for. */
async function connected(
  name: string,
  config: OpenapiSourceConfig,
  around: Surroundings,
): Promise<Record<string, SecretSource>> {
  const found = await around.signedIn(name, config);
  const schemes = found?.connection.schemes ?? [];
  return Object.fromEntries(schemes.map((scheme) => [scheme, found!.token]));
}

/** An API by its description. It is on this machine's network only where that was said. */
export async function openSource(
  name: string,
  config: OpenapiSourceConfig,
  around: Surroundings,
): Promise<OpenApiSource> {
  const { document, server, hosts, allow_private } = config;
  const credentials: Record<string, SecretSource> = await connected(name, config, around);
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
    signInHint: connectCommand(name, config.account),
    ...(server !== undefined && { server }),
    ...(hosts !== undefined && { hosts }),
  });
}
