import { lookup as dnsLookup } from "node:dns";
import { BlockList, isIP } from "node:net";
import type { LookupFunction } from "node:net";
import { fail } from "@waybill/core";
import type { CallError } from "@waybill/core";

const IPV4_RANGES = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  // The metadata service of a cloud machine.
  "168.63.129.16/32",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "224.0.0.0/4",
  "240.0.0.0/4",
];

/** Those that carry an IPv4 address inside (NAT64, 6to4, Teredo) could lead to any of the above. */
const IPV6_RANGES = [
  "::/127",
  "64:ff9b::/96",
  "64:ff9b:1::/48",
  "2001::/32",
  "2002::/16",
  "fc00::/7",
  "fe80::/9",
  "ff00::/8",
];

function blockList(): BlockList {
  const list = new BlockList();
  for (const [family, ranges] of [["ipv4", IPV4_RANGES] as const, ["ipv6", IPV6_RANGES] as const]) {
    for (const range of ranges) {
      const [network = "", prefix] = range.split("/");
      list.addSubnet(network, Number(prefix), family);
    }
  }
  return list;
}

let privateRanges: BlockList | undefined;

/** Whether an IP address is of this machine, its network, or its cloud. Zones such as `%eth0` count not. */
export function isPrivateAddress(address: string): boolean {
  const [plain = ""] = address.split("%");
  privateRanges ??= blockList();
  return privateRanges.check(plain, isIP(plain) === 6 ? "ipv6" : "ipv4");
}

const ALLOW = "If it is meant, set allow_private (waybill source add: --allow-private)";

/** What a public host redirects to is never let in, so there is nothing to allow. */
export function privateAddressError(host: string, isRedirected = false): CallError {
  const what = isRedirected
    ? `${host} is a private address, to which a public host may not redirect`
    : `${host} is a private address, which this source may not reach`;
  const hint = isRedirected ? {} : { hint: ALLOW };
  return fail("POLICY", what, { outcome: "not_applied", ...hint });
}

/**
 * Resolves names and leaves private addresses out. It is the socket's own resolution, so a name
 * cannot point elsewhere between check and connect. Node gives literal addresses to no lookup.
 */
export function publicLookup(isRedirected = false): LookupFunction {
  return (hostname, options, callback) => {
    dnsLookup(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) {
        callback(error, []);
        return;
      }
      const allowed = found.filter(({ address }) => !isPrivateAddress(address));
      const first = allowed[0];
      if (first === undefined) callback(privateAddressError(hostname, isRedirected), []);
      else if (options.all === true) callback(null, allowed);
      else callback(null, first.address, first.family);
    });
  };
}
