import type { CodeGraph } from "../../graph/index.ts";
import {
  APART,
  RUNTIME,
  allComponents,
  findComponents,
  eagerComponents,
  getLinks,
  linkBetween,
  linksOut,
  perGraph,
  runtimeComponents,
  shortCircle,
} from "../../analysis/index.ts";
import type { Links } from "../../analysis/index.ts";
import type { Answer } from "../answer/answer.ts";
import { isAtLeast } from "../answer/issue-kinds.ts";
import type { Severity } from "../answer/issue-kinds.ts";
import { isIn, scopeMask } from "../names/scope.ts";
import type { GraphView } from "../answer/view.ts";

export interface CyclesInput {
  readonly minLength?: number;
  readonly maxCycles?: number;
  readonly severityFilter?: Severity;
  readonly includeBreakPoints?: boolean;
  readonly typeOnly?: "include" | "exclude" | "only";
  readonly scope?: string;
}

/** Files that import each other, with the shortest cycle among them. */
export interface Circle {
  readonly members: readonly number[];
  readonly nodes: readonly number[];
  readonly typeOnly: boolean;
  readonly severity: Severity;
}

const LARGE = 10;
const TRIED_FOR_BREAKING = 400;

function getSeverity(graph: CodeGraph, members: readonly number[]): Severity {
  const { of } = eagerComponents(graph);
  const isEager = members.some((file, at) => at > 0 && of[file] === of[members[0]!]);
  if (!isEager) return "info";
  return members.length > LARGE ? "error" : "warning";
}

/** Cycles at run time, then those that only types close. */
export const circlesOf: (graph: CodeGraph) => readonly Circle[] = perGraph((graph) => {
  const links = linksOut(graph);
  const atRunTime = runtimeComponents(graph).circles;
  const inCircle = new Set(atRunTime.flat());
  const ofTypes = allComponents(graph).circles.filter(
    (members) => !members.some((file) => inCircle.has(file)),
  );
  return [
    ...atRunTime.map((members) => ({
      members,
      nodes: shortCircle(links, members, RUNTIME),
      typeOnly: false,
      severity: getSeverity(graph, members),
    })),
    ...ofTypes.map((members) => ({
      members,
      nodes: shortCircle(links, members),
      typeOnly: true,
      severity: "info" as const,
    })),
  ].toSorted((a, b) => getRank(b) - getRank(a) || a.nodes[0]! - b.nodes[0]!);
});

function getRank({ severity, members }: Circle): number {
  return (severity === "error" ? 2e6 : severity === "warning" ? 1e6 : 0) + members.length;
}

interface BreakPoint {
  readonly from: string;
  readonly to: string;
  readonly reason: string;
}

/** Whether the members no longer form a cycle without this link. */
function endsCircle(links: Links, { members, typeOnly }: Circle, gone: number): boolean {
  if (members.length > TRIED_FOR_BREAKING) return false;
  const mask = typeOnly ? APART : RUNTIME;
  const placeOf = new Map(members.map((file, place) => [file, place]));
  const left = members.flatMap((file, from) => {
    const pairs: { from: number; to: number }[] = [];
    for (let link = links.starts[file]!; link < links.starts[file + 1]!; link++) {
      const to = placeOf.get(links.targets[link]!);
      const isLeft = link !== gone && (links.flags[link]! & mask) !== 0;
      if (isLeft && to !== undefined) pairs.push({ from, to });
    }
    return pairs;
  });
  return findComponents(getLinks(members.length, left)).circles.length === 0;
}

const knownBreakPoints: (graph: CodeGraph) => Map<Circle, readonly BreakPoint[]> = perGraph(
  () => new Map(),
);

/** The imports of the cycle with the fewest names, which are the easiest to remove. */
export function breakPoints(graph: CodeGraph, circle: Circle): readonly BreakPoint[] {
  const known = knownBreakPoints(graph);
  const points = known.get(circle) ?? findBreakPoints(graph, circle);
  known.set(circle, points);
  return points;
}

function findBreakPoints(graph: CodeGraph, circle: Circle): BreakPoint[] {
  const links = linksOut(graph);
  const { nodes, members } = circle;
  const candidates = nodes.map((from, at) => {
    const to = nodes[(at + 1) % nodes.length]!;
    const link = linkBetween(links, from, to)!;
    return { from, to, link, names: namesOver(graph, from, to) };
  });
  const best = candidates.toSorted((a, b) => a.names.length - b.names.length).slice(0, 2);
  return best.map(({ from, to, link, names }) => {
    const takes =
      names.length === 0 ? "imports no names" : `imports ${names.slice(0, 3).join(", ")}`;
    const more = names.length > 3 ? ` and ${names.length - 3} more` : "";
    const ends = members.length > nodes.length && endsCircle(links, circle, link);
    return {
      from: graph.files.path(from),
      to: graph.files.path(to),
      reason: `${takes}${more}${ends ? "; without it, the whole cycle is gone" : ""}`,
    };
  });
}

function namesOver(graph: CodeGraph, from: number, to: number): string[] {
  const names = new Set<string>();
  for (const edge of graph.imports.outOf(from)) {
    if (graph.imports.to(edge) !== to) continue;
    for (const row of graph.bindings.ofEdge(edge)) names.add(graph.bindings.name(row));
  }
  return [...names];
}

function describeCycle({ members, nodes, typeOnly, severity }: Circle): string {
  const size =
    members.length > nodes.length
      ? `; the shortest cycle of ${members.length} files that import each other`
      : "";
  if (typeOnly) return `a cycle only because of a type import${size}`;
  return severity === "info"
    ? `a cycle only because of a dynamic import${size}`
    : `at load time${size}`;
}

/** Lists import cycles. Break points are imports to remove. */
export function cycles(view: GraphView, input: CyclesInput): Answer<Circle> {
  const { graph } = view;
  const { minLength = 2, maxCycles = 20, includeBreakPoints = true, typeOnly = "include" } = input;
  const mask = scopeMask(view, input.scope);
  const found = circlesOf(graph).filter(
    (circle) =>
      circle.nodes.length >= minLength &&
      isAtLeast(circle.severity, input.severityFilter) &&
      (typeOnly === "include" || circle.typeOnly === (typeOnly === "only")) &&
      circle.nodes.some((file) => isIn(mask, file)),
  );
  const stats = {
    total: found.length,
    typeOnly: found.filter((circle) => circle.typeOnly).length,
    filesInvolved: new Set(found.flatMap(({ members }) => members)).size,
  };
  return {
    items: found,
    limit: maxCycles,
    levels: 1,
    limits: { maxItems: maxCycles },
    ...(found.length > 0 && {
      next: [
        {
          tool: "issues" as const,
          args: { kind: found[0]!.typeOnly ? "CYCLE_RISK" : "CIRCULAR_DEPENDENCY", limit: 5 },
          reason: "the same cycles as issues, each with an explanation",
        },
      ],
    }),
    render: (shown, level) => ({
      cycles: shown.map((circle) => ({
        nodes: circle.nodes.map((file) => graph.files.path(file)),
        length: circle.nodes.length,
        severity: circle.severity,
        description: describeCycle(circle),
        typeOnly: circle.typeOnly,
        ...(includeBreakPoints && level === 0 && { breakPoints: breakPoints(graph, circle) }),
      })),
      stats,
    }),
  };
}
