import type { Mode } from "../types.ts";
import { element, figure } from "./svg.ts";
import type { Svg } from "./svg.ts";

const RADIUS = 4;

type Draw = (x: number, y: number, as: string) => Svg;

function path(points: (x: number, y: number) => readonly (readonly [number, number])[]): Draw {
  return (x, y, as) => {
    const places = points(x, y).map(([px, py]) => `${figure(px)} ${figure(py)}`);
    return element("path", { d: `M${places.join("L")}Z`, class: as });
  };
}

const circle: Draw = (cx, cy, as) => element("circle", { cx, cy, r: RADIUS, class: as });
const square: Draw = (x, y, as) =>
  element("rect", { x: x - 3.5, y: y - 3.5, width: 7, height: 7, class: as });
const up = path((x, y) => [
  [x - 4, y + 3.5],
  [x, y - 4],
  [x + 4, y + 3.5],
]);
const down = path((x, y) => [
  [x - 4, y - 3.5],
  [x, y + 4],
  [x + 4, y - 3.5],
]);
const diamond = path((x, y) => [
  [x - 4.5, y],
  [x, y - 4.5],
  [x + 4.5, y],
  [x, y + 4.5],
]);
const cross: Draw = (x, y, as) => {
  const d = `M${figure(x - 3.5)} ${figure(y - 3.5)}l7 7m0-7l-7 7`;
  return element("path", { d, class: `${as} stroke` });
};
const plus: Draw = (x, y, as) => {
  const d = `M${figure(x - 4.5)} ${figure(y)}h9m-4.5-4.5v9`;
  return element("path", { d, class: `${as} stroke` });
};

/**
 * Each mode has its own shape and colour, for readers who see colours differently. The mode that
 * reads least is hollow.
 */
const MARKS: Readonly<Record<Mode, readonly [draw: Draw, as: string]>> = {
  "mcp-lean": [circle, "mark mcp-lean hollow"],
  "mcp-indexed": [circle, "mark mcp-indexed"],
  "command-lean": [square, "mark command-lean hollow"],
  "command-indexed": [square, "mark command-indexed"],
  "mcp-code": [plus, "mark mcp-code"],
  "command-code": [plus, "mark command-code"],
  "gh-help": [up, "mark gh-help"],
  "gh-known": [down, "mark gh-known"],
  "gh-memory": [down, "mark gh-memory"],
  "gh-current": [down, "mark gh-current hollow"],
  "gh-axi": [up, "mark gh-axi hollow"],
  ghx: [square, "mark ghx hollow"],
  graphql: [diamond, "mark graphql"],
  "graphql-fields": [diamond, "mark graphql-fields hollow"],
  "github-mcp": [cross, "mark github-mcp"],
  "github-mcp-deferred": [cross, "mark github-mcp-deferred"],
  grep: [plus, "mark grep"],
};

export function mark(mode: Mode, x: number, y: number): Svg {
  const [draw, as] = MARKS[mode];
  return draw(x, y, as);
}
