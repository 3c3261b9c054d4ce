import type { EnvironmentInfo } from "@waybill/core/cards";
import type { CardsSourceConfig } from "@waybill/state";
import type { Secrets, SecretSource } from "./secrets.ts";

/** The token of a source, and the hosts that may get it. */
export interface TokenAccess {
  readonly value: string | undefined;
  /** The token for a host; undefined if the host may not have it. */
  tokenFor(host: string): string | undefined;
  /** Reads the token for an allowed host. Reads it again if the upstream refused it. */
  sourceFor(host: string): SecretSource | undefined;
  readonly facts: EnvironmentInfo;
}

/** Whether a host is a subdomain of another: `api.github.com` belongs to `github.com`. */
function isHostWithin(host: string, owner: string): boolean {
  return host === owner || host.endsWith(`.${owner}`);
}

function getHosts({ rest, graphql }: CardsSourceConfig): string[] {
  const urls = [rest?.baseUrl, graphql?.url].filter((url) => url !== undefined);
  return urls.map((url) => new URL(url).hostname);
}

/** Gives the token only to its host. For other hosts, it states why a route is skipped. */
export async function tokenAccess(
  source: CardsSourceConfig,
  secrets: Secrets,
): Promise<TokenAccess> {
  const hosts = getHosts(source);
  const owner = source.host?.toLowerCase();
  const stranger =
    owner === undefined ? undefined : hosts.find((host) => !isHostWithin(host, owner));
  const token = source.token && secrets.source(source.token);
  const value = await token?.();
  const host = owner ?? hosts[0];
  const mayHave = (other: string): boolean => owner === undefined || isHostWithin(other, owner);
  return {
    value,
    tokenFor: (other) => (mayHave(other) ? value : undefined),
    sourceFor: (other) => (mayHave(other) ? token : undefined),
    facts: {
      ...(host !== undefined && { host }),
      ...(source.token !== undefined && { tokenPresent: value !== undefined }),
      ...(source.token !== undefined &&
        stranger !== undefined && { tokenHost: owner!, host: stranger }),
    },
  };
}
