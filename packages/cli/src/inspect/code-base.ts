import { GraphWorkspace, graphPicture } from "@waybill/codegraph";
import type { InspectorOptions } from "@waybill/server";

/** The code base that the page shows. The page's questions use the same graph. */
export interface CodeBase {
  readonly workspace: GraphWorkspace;
  readonly graph: NonNullable<InspectorOptions["graph"]>;
  /** Starts reading before the first question. */
  readAhead(): void;
  close(): Promise<void>;
}

/** Opens the code base, but reads no file before the first question or `readAhead`. */
export function openCodeBase(root: string): CodeBase {
  const workspace = new GraphWorkspace({ root });
  return {
    workspace,
    graph: {
      picture: async (signal) => graphPicture(await workspace.view("none", signal), {}, signal),
    },
    readAhead() {
      // The error is ignored here, because the first question reports it.
      workspace.view("none").catch(() => {});
    },
    close: () => workspace.close(),
  };
}
