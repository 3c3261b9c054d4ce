import { colourOf } from "../theme/theme.ts";
import { LAYERS, layerVariable, premultiplied } from "./colours.ts";
import type { Palette } from "./colours.ts";

/** As the page's colours are now. */
export function readPalette(): Palette {
  return {
    layers: Array.from({ length: LAYERS }, (_, layer) => colourOf(layerVariable(layer))),
    none: colourOf("--layer-none"),
    dimmed: colourOf("--graph-dimmed"),
    line: premultiplied(colourOf("--graph-line")),
    litLine: colourOf("--graph-lit"),
    manyLitLine: premultiplied(colourOf("--graph-many-lit")),
    hotspot: colourOf("--ink"),
    cycle: colourOf("--graph-cycle"),
    violation: colourOf("--graph-violation"),
    changed: colourOf("--graph-changed"),
    folder: colourOf("--graph-folder"),
    folderFill: colourOf("--graph-folder-fill"),
    surface: colourOf("--surface"),
    ink: colourOf("--ink"),
    soft: colourOf("--ink-soft"),
  };
}
