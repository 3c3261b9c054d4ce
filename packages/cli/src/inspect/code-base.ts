import { GraphWorkspace, graphPicture } from "@waybill/codegraph";
import type { InspectorOptions } from "@waybill/server";

/** The code base that the page draws, and that its questions are about; one graph for both. */
export interface CodeBase {
  readonly workspace: GraphWorkspace;
  readonly graph: NonNullable<InspectorOptions["graph"]>;
  /** Reads it ahead of the first question. */
  readAhead(): void;
  close(): Promise<void>;
}

/** Nothing is read before somebody asks, or says that they will. */
export function openCodeBase(root: string): CodeBase {
  const workspace = new GraphWorkspace({ root });
  return {
    workspace,
    graph: {
      picture: async (signal) => graphPicture(await workspace.view("none", signal), {}, signal),
    },
    readAhead() {
      // The failure is reported to the first question.
      workspace.view("none").catch(() => {});
    },
    close: () => workspace.close(),
  };
}
