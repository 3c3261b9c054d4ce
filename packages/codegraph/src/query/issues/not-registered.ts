import type { CodeGraph } from "../../graph/index.ts";
import { isDeclaredInCode, isJudged, liveFiles } from "../modules/live-files.ts";
import { isServed } from "../modules/entrypoints.ts";
import { publicFiles } from "../modules/public-files.ts";
import type { IssueRule } from "./issue.ts";
import { modify, findingPath } from "./issue.ts";

/** An import without names, or of everything, may run any code of the file. */
function mayRegister(graph: CodeGraph, edge: number): boolean {
  const names = [...graph.bindings.ofEdge(edge)].map((row) => graph.bindings.name(row));
  const isReexport = graph.imports.kind(edge) === "reexport";
  return !isReexport && (names.length === 0 || names.includes("*"));
}

function isTaken(graph: CodeGraph, row: number): boolean {
  const rows = [row, ...graph.exports.forwards(row)];
  const doors = publicFiles(graph);
  return rows.some(
    (each) =>
      doors[graph.exports.file(each)] === 1 ||
      graph.bindings.ofExport(each).some((binding) => {
        return graph.imports.kind(graph.bindings.edge(binding)) !== "reexport";
      }),
  );
}

/**
 * The exports that a handler belongs to: its own, or those of its class. All exports if that is
 * unknown.
 */
function getOwners(graph: CodeGraph, entrypoint: number): number[] {
  const rows = [...graph.exports.inFile(graph.entrypoints.file(entrypoint))];
  const symbol = graph.entrypoints.symbol(entrypoint);
  const parent = symbol === undefined ? undefined : graph.symbols.parent(symbol);
  const own = rows.filter((row) => {
    const declared = graph.exports.symbol(row);
    return declared !== undefined && (declared === symbol || declared === parent);
  });
  return own.length > 0 ? own : rows;
}

/** Code that people annotate as an entry point counts as used. */
function isAnnotated({ entrypoints }: CodeGraph, file: number): boolean {
  return [...entrypoints.inFile(file)].some((row) => entrypoints.detail(row) === "annotation");
}

/** A route, command or job in a file that runs, on a router that nobody uses. */
export const notRegistered: IssueRule = {
  kind: "NOT_REGISTERED",
  severity: "warning",
  needsEntrypoints: true,
  *find({ graph }) {
    const live = liveFiles(graph);
    const doors = publicFiles(graph);
    const { entrypoints } = graph;
    const seen = new Set<string>();
    for (let row = 0; row < entrypoints.count; row++) {
      const file = entrypoints.file(row);
      if (!isServed(graph, row) || !isDeclaredInCode(entrypoints.detail(row))) continue;
      if (live[file] === 0 || doors[file] === 1 || !isJudged(graph, file)) continue;
      if (isAnnotated(graph, file)) continue;
      const owners = getOwners(graph, row);
      const users = [...graph.imports.into(file)];
      if (owners.length === 0 || users.some((edge) => mayRegister(graph, edge))) continue;
      if (owners.some((owner) => isTaken(graph, owner))) continue;
      const subject = owners.length === 1 ? graph.exports.name(owners[0]!) : entrypoints.text(row);
      if (seen.has(`${file} ${subject}`)) continue;
      seen.add(`${file} ${subject}`);
      yield { file, line: entrypoints.line(row), subject, note: entrypoints.text(row) };
    }
  },
  summary: (view, finding) =>
    `${finding.note ?? finding.subject} is declared in ${findingPath(view, finding)} and never registered`,
  evidence: (_view, { subject }) => [`no file imports ${subject}`],
  impact: (_view, { note, subject }) => `${note ?? subject} is never served.`,
  fixes: (_view, { subject }) => [
    {
      description: `Register ${subject}`,
      effort: "small",
      steps: [`Import ${subject} where its siblings are registered`, "Add it there"],
    },
  ],
  edits: (view, finding) => [modify(view, finding, `register or remove ${finding.subject}`)],
};
