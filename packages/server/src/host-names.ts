import { fail } from "@waybill/core";
import type { HeaderReader } from "./connection.ts";

const LOOPBACK: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];
const MAX_KNOWN = 256;

/** The host of a URL that contains only a host and an optional port. */
function findHostname(text: string): string | undefined {
  if (!/^https?:\/\/[^/?#@\\\s]+$/iu.test(text) || !URL.canParse(text)) return undefined;
  return new URL(text).hostname;
}

/** Caches accepted values, because the same few are sent again and again. */
class Names {
  readonly #names: ReadonlySet<string>;
  readonly #prefix: string;
  readonly #known = new Set<string>();

  constructor(names: readonly string[], prefix: string) {
    this.#names = new Set(names.map((name) => name.toLowerCase()));
    this.#prefix = prefix;
  }

  allow(value: string): boolean {
    if (this.#known.has(value)) return true;
    const hostname = findHostname(this.#prefix + value);
    if (hostname === undefined || !this.#names.has(hostname)) return false;
    if (this.#known.size < MAX_KNOWN) this.#known.add(value);
    return true;
  }
}

/**
 * Protects against DNS rebinding and requests from other sites. Browsers set the Host and Origin
 * headers, and a page cannot change them.
 */
export class HostNames {
  readonly #hosts: Names;
  readonly #origins: Names;

  constructor(hosts: readonly string[] = LOOPBACK, origins: readonly string[] = LOOPBACK) {
    this.#hosts = new Names(hosts, "http://");
    this.#origins = new Names(origins, "");
  }

  /** Allows a page that is opened by a link, because the page with the link cannot read it. */
  assert(header: HeaderReader, mayBeOpened = false): void {
    const host = header("host");
    if (host === undefined || !this.#hosts.allow(host)) {
      const message = `This server does not answer to the name ${JSON.stringify(host ?? "")}`;
      throw fail("POLICY", message, {
        hint: "If the name is yours, add it to http.hosts in the configuration",
      });
    }
    const origin = header("origin");
    if (origin !== undefined && !this.#origins.allow(origin)) {
      throw fail(
        "POLICY",
        `Pages of ${JSON.stringify(origin)} may not send requests to this server`,
        { hint: "If the page is yours, add it to http.origins in the configuration" },
      );
    }
    // An image or link on another site sends no Origin header, but browsers send `sec-fetch-site`.
    const isOpened = mayBeOpened && header("sec-fetch-dest") === "document";
    if (origin === undefined && !isOpened && header("sec-fetch-site") === "cross-site") {
      throw fail("POLICY", "Pages of other sites may not send requests to this server", {
        hint: "Send the request from a program, or from a page of an origin in http.origins",
      });
    }
  }
}
