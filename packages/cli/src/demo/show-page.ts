import { serveInspector } from "../inspect/serve-inspector.ts";
import type { Io } from "../io.ts";
import type { Stage } from "./stage.ts";

/** Opens the page with the calls of the tour for a user at a terminal. */
export async function showPage(io: Io, stage: Stage, page: string): Promise<void> {
  const { forPage: waybill, history } = stage;
  await history.flush();
  const kinds = { github: "embedded GitHub" };
  await serveInspector(io, { waybill, history, page, kinds, mayOpen: true });
}
