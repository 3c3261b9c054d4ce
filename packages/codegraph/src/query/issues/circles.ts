import { REEXPORT, linksOut, reexportComponents, shortCircle } from "../../analysis/index.ts";
import { breakPoints, circlesOf } from "../modules/cycles.ts";
import type { Circle } from "../modules/cycles.ts";
import type { Finding, Fix, IssueRule } from "./issue.ts";
import { modify } from "./issue.ts";
import type { GraphView } from "../answer/view.ts";

function* circleFindings(
  { graph }: GraphView,
  wants: (circle: Circle) => boolean,
): Generator<Finding> {
  for (const circle of circlesOf(graph)) {
    if (!wants(circle)) continue;
    const { nodes, severity } = circle;
    const first = Math.min(...nodes);
    yield { file: first, subject: getSubject(graph, nodes), severity, about: nodes };
  }
}

function getSubject(graph: GraphView["graph"], nodes: readonly number[]): string {
  return [...nodes]
    .toSorted((a, b) => a - b)
    .map((file) => graph.files.path(file))
    .join(" ");
}

/** Writes a cycle as text: a → b → a. */
function roundTrip({ graph }: GraphView, { about = [] }: Finding): string {
  const names = about.map((file) => graph.files.path(file));
  const shown = names.length > 6 ? [...names.slice(0, 5), `… ${names.length - 5} more`] : names;
  return [...shown, names[0] ?? ""].join(" → ");
}

function getCircle({ graph }: GraphView, { about = [] }: Finding): Circle {
  const known = circlesOf(graph).find(({ nodes }) => nodes === about);
  return known ?? { members: about, nodes: about, typeOnly: false, severity: "warning" };
}

function fixes(view: GraphView, finding: Finding): Fix[] {
  return breakPoints(view.graph, getCircle(view, finding)).map(({ from, to, reason }) => ({
    description: `Cut ${from} → ${to} (${reason})`,
    effort: "medium",
    steps: [
      `Move the names that ${from} uses from ${to} into a new file that both import`,
      "Run graph_cycles again",
    ],
  }));
}

function edits(view: GraphView, finding: Finding) {
  const [cut] = breakPoints(view.graph, getCircle(view, finding));
  if (cut === undefined) return [modify(view, finding, "remove one of the imports of the cycle")];
  return [
    {
      file: cut.from,
      action: "modify" as const,
      description: `no longer import ${cut.to}`,
      changes: [`the import ${cut.reason}`],
    },
  ];
}

/** Files that import each other at load time, or at run time. */
export const circularDependency: IssueRule = {
  kind: "CIRCULAR_DEPENDENCY",
  severity: "warning",
  find: (view) =>
    circleFindings(view, ({ typeOnly, severity }) => !typeOnly && severity !== "info"),
  summary: (view, finding) => roundTrip(view, finding),
  evidence: (view, finding) => {
    const { members, nodes } = getCircle(view, finding);
    return members.length > nodes.length
      ? [`${members.length} files import each other in a cycle`]
      : [];
  },
  impact: () =>
    "One of the files runs before the others have finished, and sees their exports as undefined.",
  fixes,
  edits,
};

/** A cycle without harm yet: only types, or an import that runs later, close it. */
export const cycleRisk: IssueRule = {
  kind: "CYCLE_RISK",
  severity: "info",
  find: (view) => circleFindings(view, ({ typeOnly, severity }) => typeOnly || severity === "info"),
  summary: (view, finding) => roundTrip(view, finding),
  evidence: (view, finding) => [
    getCircle(view, finding).typeOnly
      ? "only a type import completes the cycle"
      : "a dynamic import completes the cycle",
  ],
  impact: () =>
    "It does no harm yet. If a static import of a value replaces this one, it becomes a cycle at load time.",
  fixes,
  edits,
};

/** Files that re-export each other in a cycle. */
export const circularReexport: IssueRule = {
  kind: "CIRCULAR_REEXPORT",
  severity: "warning",
  *find({ graph }) {
    for (const members of reexportComponents(graph).circles) {
      const nodes = shortCircle(linksOut(graph), members, REEXPORT);
      yield { file: Math.min(...nodes), subject: getSubject(graph, nodes), about: nodes };
    }
    for (let row = 0; row < graph.exports.count; row++) {
      if (graph.exports.kind(row) !== "cyclic") continue;
      const file = graph.exports.file(row);
      const [line, subject] = [graph.exports.line(row), graph.exports.name(row)];
      yield { file, line, subject, severity: "error" };
    }
  },
  summary: (view, finding) =>
    finding.about === undefined
      ? `${finding.subject} is re-exported in a cycle and defined nowhere`
      : roundTrip(view, finding),
  evidence: () => ["the files re-export each other"],
  impact: () => "Names may be missing or undefined, depending on which file loads first.",
  fixes: () => [
    {
      description: "Import from where the name is defined",
      effort: "small",
      steps: ["Find the definition", "Re-export from there", "Remove the re-export of the barrel"],
    },
  ],
  edits: (view, finding) => [modify(view, finding, "re-export from where the names are defined")],
};
