import { serveInspector } from "../inspect/serve-inspector.ts";
import type { Io } from "../io.ts";
import type { Stage } from "./stage.ts";

/** Whoever sits at a terminal can look at what was played, and go on from there. */
export async function showPage(io: Io, stage: Stage, page: string): Promise<void> {
  const { forPage: waybill, history } = stage;
  await history.flush();
  const kinds = { github: "embedded GitHub" };
  await serveInspector(io, { waybill, history, page, kinds, mayOpen: true });
}
