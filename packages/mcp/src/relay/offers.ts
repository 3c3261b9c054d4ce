// These types are public, so they do not use types of the MCP SDK. Otherwise npm would install the
// SDK only for its types: 17 MB whose code is already inside this package.

/**
 * A value of another server that is passed on unchanged. Only the members that are read here
 * have types.
 */
type PassedOn<Read> = Read & { readonly [member: string]: unknown };

/** Resources and prompts that a server lists besides its tools. */
export interface OfferList {
  readonly resources: readonly PassedOn<{ readonly uri: string; readonly name: string }>[];
  readonly templates: readonly PassedOn<{ readonly uriTemplate: string; readonly name: string }>[];
  readonly prompts: readonly PassedOn<{ readonly name: string }>[];
}

/**
 * The resources and prompts of another MCP server, which Waybill also offers to its own clients.
 */
export interface McpOffers {
  /** Name of the source. */
  readonly source: string;
  /** The stored lists, so that the server need not be started to list them. */
  list(): Promise<OfferList>;
  read(uri: string): Promise<PassedOn<{ readonly contents: readonly object[] }>>;
  prompt(
    name: string,
    args: Readonly<Record<string, string>>,
  ): Promise<PassedOn<{ readonly messages: readonly object[] }>>;
  /**
   * Calls the listener when its tools, resources or prompts have changed. Returns a function that
   * stops it.
   */
  onChange(listener: () => void): () => void;
}
