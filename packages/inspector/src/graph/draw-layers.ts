import type { Sigma } from "sigma";
import type { Palette } from "./colours.ts";
import type { FolderCircle, Layout } from "./layout.ts";
import { RING } from "./picture-style.ts";
import type { Look } from "./picture-style.ts";

/** Converts positions of the layout to positions on the screen. */
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

function getProjection(sigma: Sigma): Projection {
  const start = sigma.graphToViewport({ x: 0, y: 0 });
  const end = sigma.graphToViewport({ x: FAR, y: FAR });
  const [across, down] = [(end.x - start.x) / FAR, (end.y - start.y) / FAR];
  return { scale: Math.abs(across), x: (x) => start.x + x * across, y: (y) => start.y + y * down };
}

/** Clears the canvas and sets it to the picture's size, in CSS pixels. */
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

/** The folders that are large enough to be seen, with their positions. */
function foldersInView(layout: Layout, sigma: Sigma): Placed[] {
  const at = getProjection(sigma);
  const { width, height } = sigma.getDimensions();
  return layout.folders
    .map((folder) => ({ folder, x: at.x(folder.x), y: at.y(folder.y), r: folder.r * at.scale }))
    .filter(({ x, y, r }) => {
      const isOutside = x + r < 0 || y + r < 0 || x - r > width || y - r > height;
      return r >= SMALLEST_FOLDER && !isOutside;
    });
}

/** Draws the circles of folders below everything else. */
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

/** Draws the names of folders that have room for them, inside at the top. */
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

/** A position on the screen. */
interface Spot {
  readonly x: number;
  readonly y: number;
  readonly r: number;
}

/** Draws two rings with a gap between them, so that the mark differs from all other rings. */
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

/** All lines of one kind of mark, drawn in one step. */
interface Stroke {
  readonly path: Path2D;
  readonly colour: string;
  readonly width: number;
  readonly dash: readonly number[];
}

/** Each kind of mark has its own line style, so that colour is not the only difference. */
function getStrokes(palette: Palette): ReadonlyMap<number, Stroke> {
  const { hotspot, changed, cycle, violation } = palette;
  return new Map([
    [RING.hotspot, { path: new Path2D(), colour: hotspot, width: 1.6, dash: [] }],
    [RING.changed, { path: new Path2D(), colour: changed, width: 2, dash: [2, 2] }],
    [RING.cycle, { path: new Path2D(), colour: cycle, width: 1.6, dash: [5, 3] }],
    [RING.violation, { path: new Path2D(), colour: violation, width: 1.6, dash: [] }],
  ]);
}

/**
 * Adds the rings of one file. They have different sizes, so none hides another. A file with a
 * violation also gets a triangle above it.
 */
function addRings(
  strokes: ReadonlyMap<number, Stroke>,
  rings: number,
  { x, y, r }: Spot,
  thin: number,
): void {
  let radius = r + 1.5 * thin;
  for (const [kind, { path }] of strokes) {
    if ((rings & kind) === 0) continue;
    path.moveTo(x + radius, y);
    path.arc(x, y, radius, 0, FULL_TURN);
    radius += 2.6 * thin;
  }
  if ((rings & RING.violation) === 0) return;
  const { path } = strokes.get(RING.violation)!;
  const foot = y - radius + 1;
  path.moveTo(x, foot - 7);
  path.lineTo(x + 4, foot);
  path.lineTo(x - 4, foot);
  path.closePath();
}

function strokeAll(
  context: CanvasRenderingContext2D,
  strokes: ReadonlyMap<number, Stroke>,
  thin: number,
): void {
  for (const { path, colour, width, dash } of strokes.values()) {
    context.strokeStyle = colour;
    context.lineWidth = width * thin;
    // Dashes shorter than a pixel only cost time.
    context.setLineDash(thin < 1 ? [] : [...dash]);
    context.stroke(path);
  }
  context.setLineDash([]);
}

/** Draws the rings around files and the names of folders, above the files. */
export function drawMarks(canvas: HTMLCanvasElement, sigma: Sigma, drawn: Drawn): void {
  const context = cleared(canvas, sigma);
  if (context === null) return;
  const { layout, look, palette, selected } = drawn;
  const at = getProjection(sigma);
  const { width, height } = sigma.getDimensions();
  // Thinner rings for small files, so that they do not hide the neighbours.
  const thin = Math.min(1, Math.max(0.5, (layout.smallest * at.scale) / 3));
  const spotOf = (file: number): Spot => ({
    x: at.x(layout.x[file]!),
    y: at.y(layout.y[file]!),
    r: layout.r[file]! * at.scale,
  });
  const strokes = getStrokes(palette);
  for (const [file, rings] of look.rings.entries()) {
    if (rings === 0 || (look.lit !== undefined && look.lit[file] === 0)) continue;
    const spot = spotOf(file);
    const isOutside = spot.x < 0 || spot.y < 0 || spot.x > width || spot.y > height;
    if (!isOutside) addRings(strokes, rings, spot, thin);
  }
  strokeAll(context, strokes, thin);
  nameFolders(context, sigma, drawn);
  if (selected !== undefined) drawSelection(context, palette, spotOf(selected));
}
