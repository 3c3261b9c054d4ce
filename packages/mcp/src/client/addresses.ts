import type { LookupFunction } from "node:net";

/** Which addresses may be connected to. */
export interface AddressGuard {
  /** Throws for a URL whose host is an address that may not be reached. */
  assert(url: URL): void;
  /** Resolves names to what may be reached, for the socket itself. */
  readonly lookup: LookupFunction;
}
