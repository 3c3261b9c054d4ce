import { localSource } from "@waybill/core";
import type { Source } from "@waybill/core";
import { graphOperations } from "./operations.ts";
import { GraphWorkspace } from "./workspace.ts";
import type { GraphWorkspaceOptions } from "./workspace.ts";

/**
 * The code graph of a folder as a source of capabilities. Reads nothing before the first call. A
 * workspace that is passed in is shared; the caller closes it.
 */
export function graphSource(options: GraphWorkspaceOptions | GraphWorkspace): Source {
  const isShared = options instanceof GraphWorkspace;
  const workspace = isShared ? options : new GraphWorkspace(options);
  const source = localSource("graph", graphOperations(workspace));
  const pack: Source = { ...source, origin: "pack" };
  return isShared ? pack : { ...pack, close: () => workspace.close() };
}
