import type { LookupFunction } from "node:net";

/** Decides which addresses may be connected to. */
export interface AddressGuard {
  /** Throws for a URL whose host is an address that may not be reached. */
  assert(url: URL): void;
  /** Resolves names to addresses that may be reached. The socket itself calls this function. */
  readonly lookup: LookupFunction;
}
