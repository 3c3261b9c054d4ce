/** One for each layer, neighbours far apart in hue; readable on the page's own colours. */
const LAYERS = {
  light: [
    "#0080ab",
    "#47935a",
    "#7458a1",
    "#bb8736",
    "#009c95",
    "#a75d90",
    "#7d8732",
    "#3d5a9e",
    "#a95e30",
    "#006c4e",
    "#a56cb2",
    "#1f9db1",
  ],
  dark: [
    "#56b1da",
    "#7fc48e",
    "#a289d0",
    "#ecba74",
    "#59cdc6",
    "#d790c0",
    "#c2cc7c",
    "#6d8bcc",
    "#da9167",
    "#339a7c",
    "#f0bbfc",
    "#75e4f7",
  ],
} as const;

/** What the picture is drawn in. */
export interface Palette {
  readonly layers: readonly string[];
  /** Of a file in no layer. */
  readonly none: string;
  /** Of a file that is not what is looked at. */
  readonly dimmed: string;
  readonly line: string;
  readonly litLine: string;
  readonly cycle: string;
  readonly violation: string;
  readonly folder: string;
  readonly folderFill: string;
  readonly paper: string;
  readonly ink: string;
  readonly soft: string;
  readonly accent: string;
}

const LIGHT: Palette = {
  layers: LAYERS.light,
  none: "#8d877b",
  dimmed: "#e0dcd3",
  line: "#ddd8ce",
  litLine: "#3c8389",
  cycle: "#b5730a",
  violation: "#c03a31",
  folder: "#cfc9bd",
  folderFill: "rgba(120, 108, 84, 0.045)",
  paper: "#fbfaf7",
  ink: "#1f211f",
  soft: "#5b5c57",
  accent: "#0d5c63",
};

const DARK: Palette = {
  layers: LAYERS.dark,
  none: "#7c837f",
  dimmed: "#2b302e",
  line: "#2a2f2d",
  litLine: "#4e9ea1",
  cycle: "#e0a83c",
  violation: "#f07167",
  folder: "#3a413e",
  folderFill: "rgba(233, 231, 225, 0.03)",
  paper: "#151716",
  ink: "#e9e7e1",
  soft: "#a9aca6",
  accent: "#6fc3c4",
};

export function paletteOf(isDark: boolean): Palette {
  return isDark ? DARK : LIGHT;
}

export function layerColour({ layers, none }: Palette, layer: number): string {
  return layers[layer] ?? none;
}
