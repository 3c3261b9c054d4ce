import { themeColour } from "../theme/theme.ts";
import { LAYERS, layerVariable, premultiplied } from "./colours.ts";
import type { Palette } from "./colours.ts";

/** The current colours of the page. */
export function readPalette(): Palette {
  return {
    layers: Array.from({ length: LAYERS }, (_, layer) => themeColour(layerVariable(layer))),
    none: themeColour("--layer-none"),
    dimmed: themeColour("--graph-dimmed"),
    line: premultiplied(themeColour("--graph-line")),
    litLine: themeColour("--graph-lit"),
    manyLitLine: premultiplied(themeColour("--graph-many-lit")),
    hotspot: themeColour("--ink"),
    cycle: themeColour("--graph-cycle"),
    violation: themeColour("--graph-violation"),
    changed: themeColour("--graph-changed"),
    folder: themeColour("--graph-folder"),
    folderFill: themeColour("--graph-folder-fill"),
    surface: themeColour("--surface"),
    ink: themeColour("--ink"),
    soft: themeColour("--ink-soft"),
  };
}
