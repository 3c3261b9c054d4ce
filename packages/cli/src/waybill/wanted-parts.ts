import type { GraphWorkspace, GraphWorkspaceOptions } from "@waybill/codegraph";

/** Describes what a command will use. */
export interface Wanted {
  /** The ids that the command will call or explain (default: any). */
  readonly ids?: readonly string[];
  /** Whether to include unlisted operations. */
  readonly unlisted?: boolean;
  /** The start of the ids that the command will list (default: any). */
  readonly domain?: string | undefined;
  /** Whether the repository of the current folder may be the default. */
  readonly checkout?: boolean;
  /**
   * The code base to ask about (default: the command's folder). A server may be started in any
   * folder, so its default is none.
   */
  readonly code?: GraphWorkspaceOptions | GraphWorkspace | "none";
}
