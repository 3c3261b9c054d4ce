import type { GraphPicture } from "@waybill/server";
import { dependentSteps, linked } from "./links.ts";
import type { Links } from "./links.ts";

/** The marks that the user can switch on and off. */
export const MARKS = ["violations", "cycles", "hotspots", "changed", "imports"] as const;
export type Mark = (typeof MARKS)[number];
export type Marks = Readonly<Record<Mark, boolean>>;

/** The user's current selection. */
export interface Asked {
  readonly selected?: number | undefined;
  readonly layer?: number | undefined;
  /** Whether to show the dependents of the selected file, or of all files in the working diff. */
  readonly impact?: "file" | "diff" | undefined;
  /** Paths from one file to another. */
  readonly ways?: readonly (readonly number[])[] | undefined;
}

/** The line styles of an import. */
export const LINE = { hidden: 0, quiet: 1, lit: 2, cycle: 3, violation: 4 } as const;
export type Line = (typeof LINE)[keyof typeof LINE];

/** The rings around a file, as bit flags. */
export const RING = { hotspot: 1, cycle: 2, violation: 4, changed: 8 } as const;

export interface Look {
  /** Has a 1 for each highlighted file; undefined if all files are highlighted. */
  readonly lit?: Uint8Array;
  /** The line style of each import. */
  readonly lines: Uint8Array;
  /** How many imports are highlighted. */
  readonly litLines: number;
  /** The rings of each file. */
  readonly rings: Uint8Array;
  /** Files whose names are always drawn. */
  readonly named: readonly number[];
}

const MAX_NAMED = 40;

/** The highlighted files, and the highlighted imports between them. */
interface Light {
  readonly files: readonly number[];
  readonly named: readonly number[];
  hasLine(from: number, to: number): boolean;
}

function lightOfWays(ways: readonly (readonly number[])[]): Light {
  const steps = new Set(ways.flatMap((way) => way.slice(1).map((to, at) => `${way[at]!} ${to}`)));
  const files = [...new Set(ways.flat())];
  return { files, named: files, hasLine: (from, to) => steps.has(`${from} ${to}`) };
}

/** All affected files, with the imports that affect them. */
function lightOfImpact(links: Links, seeds: readonly number[]): Light {
  const steps = dependentSteps(links, seeds);
  const files = [...steps.keys()].filter((file) => steps[file] !== -1);
  return { files, named: seeds, hasLine: (from, to) => steps[from] === steps[to]! + 1 };
}

function lightOfFile(links: Links, file: number): Light {
  const files = [file, ...linked(links.out, file), ...linked(links.in, file)];
  return { files, named: [file], hasLine: (from, to) => from === file || to === file };
}

function lightOfLayer({ layer_of }: GraphPicture, layer: number): Light {
  const files = [...layer_of.keys()].filter((file) => layer_of[file] === layer);
  return { files, named: [], hasLine: () => true };
}

/**
 * The highlights for the selection. If several things are selected, the most specific one decides.
 */
function findLight(picture: GraphPicture, links: Links, asked: Asked): Light | undefined {
  const { ways, impact, selected, layer } = asked;
  if (ways !== undefined && ways.length > 0) return lightOfWays(ways);
  if (impact === "diff") return lightOfImpact(links, picture.changed);
  if (selected !== undefined) {
    return impact === "file" ? lightOfImpact(links, [selected]) : lightOfFile(links, selected);
  }
  return layer === undefined ? undefined : lightOfLayer(picture, layer);
}

function getMask(count: number, files: readonly number[]): Uint8Array {
  const mask = new Uint8Array(count);
  for (const file of files) mask[file] = 1;
  return mask;
}

/** The import cycle of each file; -1 for none. */
function getCircles({ files, cycles }: GraphPicture): Int32Array {
  const of = new Int32Array(files.length).fill(-1);
  for (const [circle, members] of cycles.entries()) for (const file of members) of[file] = circle;
  return of;
}

function getRings(picture: GraphPicture, marks: Marks): Uint8Array {
  const rings = new Uint8Array(picture.files.length);
  const add = (file: number, ring: number): void => {
    if (file >= 0) rings[file]! |= ring;
  };
  if (marks.hotspots) for (const { file } of picture.hotspots) add(file, RING.hotspot);
  if (marks.cycles) for (const file of picture.cycles.flat()) add(file, RING.cycle);
  if (marks.changed) for (const file of picture.changed) add(file, RING.changed);
  if (!marks.violations) return rings;
  for (const { from, to } of picture.violations) {
    add(from, RING.violation);
    add(to, RING.violation);
  }
  return rings;
}

/** The style of each import, independent of the selection. */
function getKinds(picture: GraphPicture, marks: Marks): (from: number, to: number) => Line {
  const circles = getCircles(picture);
  const broken = new Set(picture.violations.map(({ from, to }) => `${from} ${to}`));
  return (from, to) => {
    if (marks.violations && broken.has(`${from} ${to}`)) return LINE.violation;
    if (marks.cycles && circles[from] !== -1 && circles[from] === circles[to]) return LINE.cycle;
    return marks.imports ? LINE.quiet : LINE.hidden;
  };
}

/** How the picture is drawn for a selection. */
export function getLook(picture: GraphPicture, links: Links, asked: Asked, marks: Marks): Look {
  const { files, imports } = picture;
  const light = findLight(picture, links, asked);
  const lit = light && getMask(files.length, light.files);
  const kindOf = getKinds(picture, marks);
  const lines = new Uint8Array(imports.length / 2);
  for (const line of lines.keys()) {
    const [from, to] = [imports[line * 2]!, imports[line * 2 + 1]!];
    const kind = kindOf(from, to);
    if (light === undefined || lit === undefined) lines[line] = kind;
    else if (lit[from] === 1 && lit[to] === 1 && light.hasLine(from, to)) {
      lines[line] = Math.max(LINE.lit, kind);
    }
  }
  const named = (light?.named ?? []).slice(0, MAX_NAMED);
  const litLines = lines.reduce((sum, line) => sum + (line === LINE.lit ? 1 : 0), 0);
  return { lines, litLines, rings: getRings(picture, marks), named, ...(lit && { lit }) };
}
