import { GraphWorkspace, graphPicture } from "@waybill/codegraph";
import type { InspectorOptions } from "@waybill/server";

/** The code base that the page shows and asks about. Both use one graph. */
export interface CodeBase {
  readonly workspace: GraphWorkspace;
  readonly graph: NonNullable<InspectorOptions["graph"]>;
  /** Starts reading before the first question. */
  readAhead(): void;
  close(): Promise<void>;
}

/** Reads nothing before the first question or `readAhead`. */
export function openCodeBase(root: string): CodeBase {
  const workspace = new GraphWorkspace({ root });
  return {
    workspace,
    graph: {
      picture: async (signal) => graphPicture(await workspace.view("none", signal), {}, signal),
    },
    readAhead() {
      // The first question reports the failure.
      workspace.view("none").catch(() => {});
    },
    close: () => workspace.close(),
  };
}
