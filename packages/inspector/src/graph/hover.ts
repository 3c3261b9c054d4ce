import type { Palette } from "./colours.ts";

const FONT = "13px system-ui, sans-serif";
const PAD = 6;

interface Hovered {
  readonly x: number;
  readonly y: number;
  readonly size: number;
}

/** Draws the whole path of the file under the pointer, on the side where there is room. */
export function drawHover(
  context: CanvasRenderingContext2D,
  { x, y, size }: Hovered,
  path: string,
  { surface, ink }: Palette,
): void {
  context.font = FONT;
  context.textAlign = "left";
  const width = context.measureText(path).width + PAD * 2;
  const room = context.canvas.clientWidth;
  const left = Math.max(2, Math.min(x + size + 4, room - width - 2));
  context.fillStyle = surface;
  context.strokeStyle = ink;
  context.lineWidth = 1;
  context.beginPath();
  context.roundRect(left, y - 12, width, 24, 4);
  context.fill();
  context.stroke();
  context.fillStyle = ink;
  context.fillText(path, left + PAD, y + 4.5);
}
