import type { GraphWorkspace, GraphWorkspaceOptions } from "@waybill/codegraph";

/** What a command will look for. */
export interface Wanted {
  /** Only these ids; any where it is not said. */
  readonly ids?: readonly string[];
  /** Whether what is not listed is looked for as well. */
  readonly unlisted?: boolean;
  /** Only ids below this one; any where it is not said. */
  readonly domain?: string | undefined;
  /** Whether the repository that is meant may be that of the checkout. */
  readonly checkout?: boolean;
  /**
   * The code that is asked about; that of the folder where the command was called unless told. Who
   * serves others may have been started anywhere, so there it is none unless it is named.
   */
  readonly code?: GraphWorkspaceOptions | GraphWorkspace | "none";
}
