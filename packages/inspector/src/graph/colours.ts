/** The colours of the picture, from the stylesheet, in a form for a canvas. */
export interface Palette {
  /** One colour for each layer. A picture never has more layers than colours. */
  readonly layers: readonly string[];
  /** Colour of a file without a layer. */
  readonly none: string;
  /** Colour of a file that is not selected. */
  readonly dimmed: string;
  readonly line: string;
  readonly litLine: string;
  /** Opacity of highlighted lines if there are many, because they would hide each other. */
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

/** The most layers in a picture. */
export const LAYERS = 12;

/** The stylesheet variable for a layer's colour. */
export function layerVariable(layer: number): `--${string}` {
  return layer < 0 || layer >= LAYERS ? "--layer-none" : `--layer-${layer + 1}`;
}

const PARTS = /^rgba?\((\d+), (\d+), (\d+)(?:, ([\d.]+))?\)$/u;

/** A colour with each channel multiplied by its opacity, as WebGL needs it. */
export function premultiplied(colour: string): string {
  const [, red, green, blue, alpha = "1"] = PARTS.exec(colour) ?? [];
  if (red === undefined) return colour;
  const parts = [red, green, blue].map((part) => Math.round(Number(part) * Number(alpha)));
  return `rgba(${parts.join(", ")}, ${alpha})`;
}

export function layerColour({ layers, none }: Palette, layer: number): string {
  return layers[layer] ?? none;
}
