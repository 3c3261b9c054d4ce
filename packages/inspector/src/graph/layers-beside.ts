import type { Sigma } from "sigma";
import type { Palette } from "./colours.ts";
import type { FolderCircle, Layout } from "./layout.ts";
import { RING } from "./look.ts";
import type { Look } from "./look.ts";

/** How places of the layout become places of the screen. */
interface Projection {
  readonly scale: number;
  x(x: number): number;
  y(y: number): number;
}

export interface Drawn {
  readonly layout: Layout;
  readonly look: Look;
  readonly palette: Palette;
  readonly selected: number | undefined;
}

const FAR = 1_000;
const FULL_TURN = Math.PI * 2;
const SMALLEST_FOLDER = 3;
const NAMED_FOLDER = 34;
const LABEL_HEIGHT = 15;
const LABEL_FONT = "12px system-ui, sans-serif";

function projectionOf(sigma: Sigma): Projection {
  const start = sigma.graphToViewport({ x: 0, y: 0 });
  const end = sigma.graphToViewport({ x: FAR, y: FAR });
  const [across, down] = [(end.x - start.x) / FAR, (end.y - start.y) / FAR];
  return { scale: Math.abs(across), x: (x) => start.x + x * across, y: (y) => start.y + y * down };
}

/** A canvas of the picture's size, empty, that counts in the page's pixels. */
function cleared(canvas: HTMLCanvasElement, sigma: Sigma): CanvasRenderingContext2D | null {
  const { width, height } = sigma.getDimensions();
  const { pixelRatio } = sigma.getRenderParams();
  const context = canvas.getContext("2d");
  const [wide, high] = [Math.round(width * pixelRatio), Math.round(height * pixelRatio)];
  if (canvas.width !== wide || canvas.height !== high) [canvas.width, canvas.height] = [wide, high];
  context?.setTransform(pixelRatio, 0, 0, pixelRatio, 0, 0);
  context?.clearRect(0, 0, width, height);
  return context;
}

function ring(context: CanvasRenderingContext2D, x: number, y: number, r: number): void {
  context.beginPath();
  context.arc(x, y, r, 0, FULL_TURN);
}

interface Placed {
  readonly folder: FolderCircle;
  readonly x: number;
  readonly y: number;
  readonly r: number;
}

/** Folders that are large enough to be seen, and where they can be. */
function foldersInView(layout: Layout, sigma: Sigma): Placed[] {
  const at = projectionOf(sigma);
  const { width, height } = sigma.getDimensions();
  return layout.folders
    .map((folder) => ({ folder, x: at.x(folder.x), y: at.y(folder.y), r: folder.r * at.scale }))
    .filter(({ x, y, r }) => {
      const isOutside = x + r < 0 || y + r < 0 || x - r > width || y - r > height;
      return r >= SMALLEST_FOLDER && !isOutside;
    });
}

/** The circles of folders, under everything else. */
export function drawFolders(
  canvas: HTMLCanvasElement,
  sigma: Sigma,
  { layout, palette }: Drawn,
): void {
  const context = cleared(canvas, sigma);
  if (context === null) return;
  context.strokeStyle = palette.folder;
  context.fillStyle = palette.folderFill;
  for (const { folder, x, y, r } of foldersInView(layout, sigma)) {
    if (folder.depth === 0) continue;
    ring(context, x, y, r);
    context.fill();
    context.stroke();
  }
}

interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
}

function overlaps(a: Box, b: Box): boolean {
  const isBeside = a.left > b.left + b.width || b.left > a.left + a.width;
  return !isBeside && Math.abs(a.top - b.top) < LABEL_HEIGHT;
}

/** Names of folders that have room for them, inside at the top. */
function nameFolders(context: CanvasRenderingContext2D, sigma: Sigma, drawn: Drawn): void {
  const { palette, layout } = drawn;
  context.font = LABEL_FONT;
  context.textAlign = "center";
  context.lineJoin = "round";
  context.lineWidth = 3;
  context.strokeStyle = palette.surface;
  context.fillStyle = palette.soft;
  const { height } = sigma.getDimensions();
  const taken: Box[] = [];
  for (const { folder, x, y, r } of foldersInView(layout, sigma)) {
    if (r < NAMED_FOLDER || folder.depth === 0 || r > height) continue;
    const { width } = context.measureText(folder.label);
    const box = { left: x - width / 2, top: y - r - LABEL_HEIGHT / 2, width };
    if (width > r * 1.7 || taken.some((other) => overlaps(box, other))) continue;
    taken.push(box);
    context.strokeText(folder.label, x, y - r + 4);
    context.fillText(folder.label, x, y - r + 4);
  }
}

/** A place on the screen. */
interface Spot {
  readonly x: number;
  readonly y: number;
  readonly r: number;
}

/** Two rings with a gap, which are seen among any others. */
function drawSelection(
  context: CanvasRenderingContext2D,
  { ink, surface }: Palette,
  { x, y, r }: Spot,
): void {
  const outer = Math.max(r + 4, 9);
  for (const [colour, width] of [
    [surface, 7],
    [ink, 3],
  ] as const) {
    context.strokeStyle = colour;
    context.lineWidth = width;
    ring(context, x, y, outer);
    context.stroke();
  }
}

/** A triangle above, so that what is forbidden is told by more than its colour. */
function warn(context: CanvasRenderingContext2D, x: number, y: number): void {
  context.beginPath();
  context.moveTo(x, y - 8);
  context.lineTo(x + 4.5, y);
  context.lineTo(x - 4.5, y);
  context.fill();
}

/** What stands around one file: each mark has its own line, and one does not hide another. */
function drawRings(
  context: CanvasRenderingContext2D,
  palette: Palette,
  rings: number,
  at: Spot,
): void {
  const { x, y } = at;
  // Around a small file a full ring would hide its neighbours.
  const thin = Math.min(1, Math.max(0.55, at.r / 5));
  let r = at.r + 1.5 * thin;
  const around = (colour: string, dash: readonly number[], width = 1.6): void => {
    context.strokeStyle = colour;
    context.lineWidth = width * thin;
    context.setLineDash(dash.map((length) => length * thin));
    ring(context, x, y, r);
    context.stroke();
    r += 2.6 * thin;
  };
  if ((rings & RING.hotspot) !== 0) around(palette.hotspot, []);
  if ((rings & RING.changed) !== 0) around(palette.changed, [2, 2], 2);
  if ((rings & RING.cycle) !== 0) around(palette.cycle, [5, 3]);
  if ((rings & RING.violation) === 0) return;
  around(palette.violation, []);
  context.fillStyle = palette.violation;
  warn(context, x, y - r + 1);
}

/** Rings around files, and the names of folders: above the files. */
export function drawMarks(canvas: HTMLCanvasElement, sigma: Sigma, drawn: Drawn): void {
  const context = cleared(canvas, sigma);
  if (context === null) return;
  nameFolders(context, sigma, drawn);
  const { layout, look, palette, selected } = drawn;
  const at = projectionOf(sigma);
  const { width, height } = sigma.getDimensions();
  let selection: Spot | undefined;
  for (const [file, rings] of look.rings.entries()) {
    const isShown = look.lit === undefined || look.lit[file] === 1;
    if ((rings === 0 || !isShown) && file !== selected) continue;
    const place = {
      x: at.x(layout.x[file]!),
      y: at.y(layout.y[file]!),
      r: layout.r[file]! * at.scale,
    };
    if (place.x < 0 || place.y < 0 || place.x > width || place.y > height) continue;
    drawRings(context, palette, rings, place);
    if (file === selected) selection = place;
  }
  context.setLineDash([]);
  if (selection !== undefined) drawSelection(context, palette, selection);
}
