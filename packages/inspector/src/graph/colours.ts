/** The colours of the picture: those of the stylesheet, in the form that a canvas takes. */
export interface Palette {
  /** One for each layer; there are never more of them. */
  readonly layers: readonly string[];
  /** Colour of a file without a layer. */
  readonly none: string;
  /** Colour of a file that is not selected. */
  readonly dimmed: string;
  readonly line: string;
  readonly litLine: string;
  /** Where so many are lit that one hides another. */
  readonly manyLitLine: string;
  readonly hotspot: string;
  readonly cycle: string;
  readonly violation: string;
  readonly changed: string;
  readonly folder: string;
  readonly folderFill: string;
  readonly surface: string;
  readonly ink: string;
  readonly soft: string;
}

/** As many as a picture has layers. */
export const LAYERS = 12;

/** The name of a layer's colour in the stylesheet. */
export function layerVariable(layer: number): `--${string}` {
  return layer < 0 || layer >= LAYERS ? "--layer-none" : `--layer-${layer + 1}`;
}

const PARTS = /^rgba?\((\d+), (\d+), (\d+)(?:, ([\d.]+))?\)$/u;

/** As WebGL adds up what is seen through: each part already weakened by how much is seen. */
export function premultiplied(colour: string): string {
  const [, red, green, blue, alpha = "1"] = PARTS.exec(colour) ?? [];
  if (red === undefined) return colour;
  const parts = [red, green, blue].map((part) => Math.round(Number(part) * Number(alpha)));
  return `rgba(${parts.join(", ")}, ${alpha})`;
}

export function layerColour({ layers, none }: Palette, layer: number): string {
  return layers[layer] ?? none;
}
