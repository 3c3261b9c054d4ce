import type { SourceConfig } from "@waybill/state";

function urlsIn(config: SourceConfig): (string | undefined)[] {
  if (config.kind === "cards") return [config.rest?.baseUrl, config.graphql?.url];
  if (config.kind === "openapi") return [config.document, config.server];
  return config.kind === "graphql" || config.kind === "mcp" ? [config.url] : [];
}

function plainHost(url: string | undefined): string[] {
  if (url === undefined || !/^https?:/iu.test(url) || !URL.canParse(url)) return [];
  return [new URL(url).hostname.replace(/^\[|\]$/gu, "")];
}

/** Allows the private addresses of the source itself, and no others of the network. */
export function withPrivateHosts(
  config: SourceConfig,
  servers: readonly string[] = [],
): SourceConfig {
  if (!("allow_private" in config) || config.allow_private !== true) return config;
  const [first] = servers;
  const own = [...urlsIn(config), first === undefined ? undefined : `http://${first}`];
  const hosts = [...new Set(own.flatMap(plainHost))];
  return hosts.length === 0 ? config : { ...config, allow_private: hosts };
}
