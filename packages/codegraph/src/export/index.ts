import type { CodeGraph } from "../graph/index.ts";
import { getDrawing } from "./drawing.ts";
import type { Drawing, DrawingOptions } from "./drawing.ts";
import { toSvg } from "./svg.ts";
import { toDot, toJsonText, toMermaid } from "./text-formats.ts";

export type { DrawingOptions } from "./drawing.ts";
export { graphPicture } from "./picture.ts";
export type { GraphPicture, PictureOptions, PictureViolation } from "./picture.ts";

export const EXPORT_FORMATS = ["mermaid", "dot", "svg", "json"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

const WRITERS: Readonly<Record<ExportFormat, (drawing: Drawing) => string>> = {
  mermaid: toMermaid,
  dot: toDot,
  svg: toSvg,
  json: toJsonText,
};

/** Exports the graph as a drawing or as data. The same graph always gives the same text. */
export function exportGraph(
  view: { readonly graph: CodeGraph; readonly root: string },
  format: ExportFormat,
  options: DrawingOptions = {},
): string {
  return WRITERS[format](getDrawing(view, options));
}
