import { findComponents, getLinks } from "../analysis/index.ts";
import type { Drawing } from "./drawing.ts";

const BOX = { width: 230, height: 26, gapX: 90, gapY: 12, margin: 24 } as const;
const MAX_TEXT = 34;

/**
 * The column of each node, from nodes without importers to nodes without imports. The nodes of a
 * cycle share a column.
 */
function drawingColumns(drawing: Drawing): number[] {
  const { of } = findComponents(getLinks(drawing.nodes.length, drawing.edges));
  // A component has a higher number than the components it leads to, so one pass from the highest
  // number is enough.
  const count = Math.max(0, ...of.map((component) => component + 1));
  const depth = Array.from({ length: count }, () => 0);
  const byComponent = drawing.edges.toSorted((a, b) => of[b.from]! - of[a.from]!);
  for (const { from, to } of byComponent) {
    const [own, other] = [of[from]!, of[to]!];
    if (own !== other) depth[other] = Math.max(depth[other]!, depth[own]! + 1);
  }
  return drawing.nodes.map((_, node) => depth[of[node]!]!);
}

interface Spot {
  readonly x: number;
  readonly y: number;
}

function getSpots(columns: readonly number[]): Spot[] {
  const next = new Map<number, number>();
  return columns.map((column) => {
    const row = next.get(column) ?? 0;
    next.set(column, row + 1);
    return {
      x: BOX.margin + column * (BOX.width + BOX.gapX),
      y: BOX.margin + 20 + row * (BOX.height + BOX.gapY),
    };
  });
}

const XML: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function xmlText(text: string): string {
  // oxlint-disable-next-line no-control-regex
  const plain = text.replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/gu, "?");
  return plain.replaceAll(/[&<>"']/gu, (character) => XML[character]!);
}

function shortenedPath(path: string): string {
  return path.length <= MAX_TEXT ? path : `…${path.slice(path.length - MAX_TEXT + 1)}`;
}

function box({ x, y }: Spot, path: string, files: number): string {
  const label = files > 1 ? `${shortenedPath(path)} (${files})` : shortenedPath(path);
  return [
    `<g><title>${xmlText(path)}</title>`,
    `<rect x="${x}" y="${y}" width="${BOX.width}" height="${BOX.height}" rx="4"/>`,
    `<text x="${x + 8}" y="${y + 17}">${xmlText(label)}</text></g>`,
  ].join("");
}

/**
 * A line from the right edge of one box to the left edge of another. A line that goes back passes
 * above the boxes.
 */
function edgeLine(a: Spot, b: Spot, typeOnly: boolean): string {
  const y1 = a.y + BOX.height / 2;
  const y2 = b.y + BOX.height / 2;
  const [x1, x2] = b.x > a.x ? [a.x + BOX.width, b.x] : [a.x, b.x + BOX.width];
  const bend = b.x > a.x ? BOX.gapX / 2 : -BOX.gapX / 2;
  const dash = typeOnly ? ' stroke-dasharray="4 3"' : "";
  const curve = `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
  return `<path d="${curve}"${dash} marker-end="url(#end)"/>`;
}

const STYLE =
  "rect{fill:#f6f8fa;stroke:#57606a}text{font:12px sans-serif;fill:#1f2328}path{fill:none;stroke:#8c959f}";
const ARROW =
  '<marker id="end" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" style="fill:#8c959f;stroke:none"/></marker>';

/** Draws boxes in columns as SVG, without any installed program. */
export function toSvg(drawing: Drawing): string {
  const spots = getSpots(drawingColumns(drawing));
  const width = Math.max(0, ...spots.map(({ x }) => x + BOX.width)) + BOX.margin;
  const height = Math.max(0, ...spots.map(({ y }) => y + BOX.height)) + BOX.margin;
  const note = drawing.omitted === 0 ? "" : `, ${drawing.omitted} more not shown`;
  const title = `${drawing.nodes.length} ${drawing.level}s${note}`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${Math.max(width, 300)} ${height}">`,
    `<style>${STYLE}</style><defs>${ARROW}</defs>`,
    `<text x="${BOX.margin}" y="${BOX.margin}">${title}</text>`,
    ...drawing.edges.map(({ from, to, typeOnly }) => edgeLine(spots[from]!, spots[to]!, typeOnly)),
    ...drawing.nodes.map(({ path, files }, node) => box(spots[node]!, path, files)),
    "</svg>",
    "",
  ].join("\n");
}
