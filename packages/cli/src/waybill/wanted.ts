import type { GraphWorkspace, GraphWorkspaceOptions } from "@waybill/codegraph";

/** Describes what a command will use. */
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
   * The code base to ask about (default: the command's folder). A server may be started in any
   * folder, so its default is none.
   */
  readonly code?: GraphWorkspaceOptions | GraphWorkspace | "none";
}
