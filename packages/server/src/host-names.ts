import { fail } from "@waybill/core";
import type { HeaderReader } from "./connection.ts";

const LOOPBACK: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];
const MAX_KNOWN = 256;

/** The host of a URL that says a host, perhaps a port, and nothing else. */
function findHostname(text: string): string | undefined {
  if (!/^https?:\/\/[^/?#@\\\s]+$/iu.test(text) || !URL.canParse(text)) return undefined;
  return new URL(text).hostname;
}

/** Remembers what it has let pass, for the same few values come again and again. */
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
 * A page whose name was made to lead to this machine asks under that name, and a page of another
 * site says which one it is: browsers do not let pages choose these headers.
 */
export class HostNames {
  readonly #hosts: Names;
  readonly #origins: Names;

  constructor(hosts: readonly string[] = LOOPBACK, origins: readonly string[] = LOOPBACK) {
    this.#hosts = new Names(hosts, "http://");
    this.#origins = new Names(origins, "");
  }

  /** A page that is only opened, by a link from wherever, tells its opener nothing. */
  assert(header: HeaderReader, mayBeOpened = false): void {
    const host = header("host");
    if (host === undefined || !this.#hosts.allow(host)) {
      throw fail("POLICY", `This server does not answer to the name ${JSON.stringify(host ?? "")}`);
    }
    const origin = header("origin");
    if (origin !== undefined && !this.#origins.allow(origin)) {
      throw fail(
        "POLICY",
        `Pages of ${JSON.stringify(origin)} may not send requests to this server`,
      );
    }
    // An image or a link of a page says no origin, but browsers say that it is another site's.
    const isOpened = mayBeOpened && header("sec-fetch-dest") === "document";
    if (origin === undefined && !isOpened && header("sec-fetch-site") === "cross-site") {
      throw fail("POLICY", "Pages of other sites may not send requests to this server");
    }
  }
}
