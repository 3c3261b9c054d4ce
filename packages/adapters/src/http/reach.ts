import { lookup as dnsLookup } from "node:dns";
import { BlockList, isIP } from "node:net";
import type { LookupFunction } from "node:net";
import { fail } from "@waybill/core";
import type { CallError } from "@waybill/core";
import { addRange, hasAddress, isLinkLocal, isPrivateAddress } from "./addresses.ts";

/**
 * The private addresses that may be reached: all, none, or named hosts, addresses and ranges
 * such as `10.0.0.0/8`. Link-local addresses are never reached, because clouds provide
 * credentials there.
 */
export type AllowPrivate = boolean | readonly string[];

const NAME = /^(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?\.)*[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?$/u;
/**
 * Names of metadata services. They are also checked by name, because behind a proxy they may
 * resolve to any address.
 */
const METADATA_NAMES: ReadonlySet<string> = new Set([
  "metadata",
  "metadata.google.internal",
  "metadata.goog",
  "instance-data",
  "instance-data.ec2.internal",
]);

const NEVER_SENT = { outcome: "not_applied" } as const;
const ALLOW = "To allow it, add the host to allow_private (waybill source add: --allow-private)";

/**
 * The host of a URL in the form that sockets need: without IPv6 brackets and the last dot of a
 * name.
 */
export function plainHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/gu, "").replace(/\.$/u, "");
}

function linkLocalError(host: string): CallError {
  const what = `${host} is a link-local or metadata address, which no source may reach. Use another address`;
  return fail("POLICY", what, NEVER_SENT);
}

/**
 * Suggests no setting if a public host redirected to a private address, because that is never
 * allowed.
 */
function privateError(host: string, isRedirected: boolean): CallError {
  const what = isRedirected
    ? `${host} is a private address, and a public host may not redirect to one. Check the address of the source`
    : `${host} is a private address, which this source may not reach`;
  return fail("POLICY", what, isRedirected ? NEVER_SENT : { ...NEVER_SENT, hint: ALLOW });
}

/** Decides which addresses may be connected to. */
export class Reach {
  readonly #isAll: boolean;
  readonly #names = new Set<string>();
  readonly #ranges = new BlockList();

  constructor(allow: AllowPrivate) {
    this.#isAll = allow === true;
    for (const entry of typeof allow === "boolean" ? [] : allow) this.#allow(entry);
  }

  #allow(entry: string): void {
    const plain = entry.toLowerCase().replace(/^\[|\]$/gu, "");
    if (addRange(this.#ranges, plain)) return;
    if (!NAME.test(plain)) {
      const message = `${JSON.stringify(entry.slice(0, 80))} in allow_private must be a host name, an address, or a range such as 10.0.0.0/8`;
      throw fail("VALIDATION", message, NEVER_SENT);
    }
    this.#names.add(plain);
  }

  /** Why an address of a host may not be connected to. */
  #refusal(address: string, host: string, isPublicOnly: boolean): CallError | undefined {
    if (isLinkLocal(address)) return linkLocalError(host);
    if (!isPrivateAddress(address)) return undefined;
    const isAllowed = this.#isAll || this.#names.has(host) || hasAddress(this.#ranges, address);
    return isAllowed && !isPublicOnly ? undefined : privateError(host, isPublicOnly);
  }

  /** Checks addresses that are written in the URL. Names are checked when they are resolved. */
  assert(url: URL, isPublicOnly = false): void {
    const host = plainHost(url);
    if (METADATA_NAMES.has(host)) throw linkLocalError(host);
    const refusal = isIP(host) === 0 ? undefined : this.#refusal(host, url.host, isPublicOnly);
    if (refusal !== undefined) throw refusal;
  }

  /** Checks a Unix socket on this machine that stands for a host. */
  assertSocket(isPublicOnly: boolean): void {
    if (!this.#isAll || isPublicOnly) throw privateError("the local socket", isPublicOnly);
  }

  /**
   * Resolves names and removes addresses that may not be reached. The socket itself uses this
   * function, so a name cannot change between the check and the connection. Node does not call
   * it for literal addresses.
   */
  lookup(isPublicOnly = false): LookupFunction {
    return (hostname, options, callback) => {
      dnsLookup(hostname, { ...options, all: true }, (error, found) => {
        if (error !== null) {
          callback(error, []);
          return;
        }
        const host = hostname.toLowerCase();
        const refusals = found.map(({ address }) => this.#refusal(address, host, isPublicOnly));
        const allowed = found.filter((_, index) => refusals[index] === undefined);
        const first = allowed[0];
        if (first === undefined) callback(refusals[0] ?? privateError(host, isPublicOnly), []);
        else if (options.all === true) callback(null, allowed);
        else callback(null, first.address, first.family);
      });
    };
  }
}

/** The guard for code that opens its own sockets. */
export function addressGuard(allow: AllowPrivate): {
  assert(url: URL): void;
  readonly lookup: LookupFunction;
} {
  const reach = new Reach(allow);
  return { assert: (url) => reach.assert(url), lookup: reach.lookup() };
}
