/** Options of `list_capabilities`. */
export interface ListCapabilitiesOptions {
  /** Words to search for, over all registered capabilities (default: none). */
  readonly query?: string;
  /** Only ids that start with this word, such as `issue` (default: all). */
  readonly domain?: string;
  /** Number of entries (default: 1000, or 20 for a search). */
  readonly limit?: number;
  /** How long to wait for slow sources, in milliseconds; later ones are missing (default: 3000). */
  readonly wait_ms?: number;
}
