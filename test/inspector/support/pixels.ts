import type { Locator, Page } from "playwright-core";

export type Colour = readonly [red: number, green: number, blue: number];

/** Pixels of roughly one colour. */
export interface Seen {
  readonly pixels: number;
  /** A point inside the area, with the same colour around it. */
  readonly spot?: { readonly x: number; readonly y: number };
}

/** Runs in the page: reads an image, and looks for colours in it. */
async function look([base64, colours]: readonly [string, readonly Colour[]]): Promise<Seen[]> {
  const [near, around] = [12, 2];
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.codePointAt(0) ?? 0);
  const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
  const { width, height } = image;
  const context = new OffscreenCanvas(width, height).getContext("2d");
  if (context === null) throw new Error("no canvas");
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, width, height);
  const steps = [-around, 0, around];
  return colours.map((colour) => {
    const isAt = (x: number, y: number): boolean =>
      colour.every((part, at) => Math.abs((data[(y * width + x) * 4 + at] ?? 0) - part) <= near);
    let pixels = 0;
    let spot: Seen["spot"];
    for (let y = around; y < height - around; y++) {
      for (let x = around; x < width - around; x++) {
        if (!isAt(x, y)) continue;
        pixels += 1;
        const isWide = steps.every((dx) => steps.every((dy) => isAt(x + dx, y + dy)));
        if (isWide) spot ??= { x, y };
      }
    }
    return spot === undefined ? { pixels } : { pixels, spot };
  });
}

/** The colours of a drawn element without text; `desk` is a page to work on. */
export async function coloursIn<Name extends string>(
  desk: Page,
  element: Locator,
  colours: Readonly<Record<Name, Colour>>,
): Promise<Record<Name, Seen>> {
  const image = (await element.screenshot()).toString("base64");
  const names = Object.keys(colours) as Name[];
  const seen = await desk.evaluate(look, [image, names.map((name) => colours[name])] as const);
  return Object.fromEntries(names.map((name, at) => [name, seen[at]!])) as Record<Name, Seen>;
}
