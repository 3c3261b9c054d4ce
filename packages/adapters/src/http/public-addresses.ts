import { isIP } from "node:net";
import type { LookupFunction } from "node:net";
import { isPrivateAddress, privateAddressError, publicLookup } from "./addresses.ts";

/** The host of a URL as sockets take it, without the brackets of IPv6. */
export function plainHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/gu, "");
}

/** Names are checked when they are resolved; addresses are not resolved, so here. */
export function isPrivateLiteral(url: URL): boolean {
  const host = plainHost(url);
  return isIP(host) !== 0 && isPrivateAddress(host);
}

/** For whoever opens sockets by itself: neither this machine, nor its network, nor its cloud. */
export const publicAddresses: {
  assert(url: URL): void;
  readonly lookup: LookupFunction;
} = {
  assert(url) {
    if (isPrivateLiteral(url)) throw privateAddressError(url.host);
  },
  lookup: publicLookup(),
};
