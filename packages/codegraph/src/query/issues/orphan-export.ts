import type { CodeGraph } from "../../graph/index.ts";
import { perGraph } from "../../analysis/index.ts";
import { conventionFiles, isJudged, liveFiles } from "../modules/live-files.ts";
import { namedFiles } from "../names/named-files.ts";
import { publicFiles } from "../modules/public-files.ts";
import { filesUsedWhole } from "../completeness/files-used-whole.ts";
import type { Finding, IssueRule } from "./issue.ts";
import { modify, findingPath } from "./issue.ts";
import type { GraphView } from "../answer/view.ts";

/** Files whose exports may be used outside of the graph, or in ways that it does not show. */
const isOpen: (graph: CodeGraph) => Uint8Array = perGraph((graph) => {
  const ways = [publicFiles, conventionFiles, filesUsedWhole, namedFiles].map((way) => way(graph));
  return Uint8Array.from({ length: graph.files.count }, (_, file) =>
    ways.some((way) => way[file] === 1) ? 1 : 0,
  );
});

function isImported(graph: CodeGraph, row: number): boolean {
  return graph.bindings
    .ofExport(row)
    .some((binding) => graph.imports.kind(graph.bindings.edge(binding)) !== "reexport");
}

/**
 * Whether an export is used, also through its re-exports. `export { x as y } from` has another
 * name, but its uses count.
 */
function isUsed(graph: CodeGraph, row: number): boolean {
  if (isImported(graph, row)) return true;
  const open = isOpen(graph);
  return graph.exports.forwards(row).some((forward) => {
    return open[graph.exports.file(forward)] === 1 || isImported(graph, forward);
  });
}

function usedInside({ graph }: GraphView, row: number): boolean {
  const symbol = graph.exports.symbol(row);
  return (
    symbol !== undefined && graph.uses.into(symbol).some((use) => graph.uses.kind(use) !== "import")
  );
}

function exportRow({ about }: Finding): number {
  return about![0]!;
}

/** Exports of a component's script are used through the component, without an import. */
const COMPONENTS = new Set(["vue", "svelte", "astro"]);

/** An export that nobody uses. */
export const orphanExport: IssueRule = {
  kind: "ORPHAN_EXPORT",
  severity: "info",
  needsEntrypoints: true,
  *find({ graph }) {
    const [live, open] = [liveFiles(graph), isOpen(graph)];
    const { exports, files } = graph;
    for (let row = 0; row < exports.count; row++) {
      const file = exports.file(row);
      if (live[file] === 0 || open[file] === 1) continue;
      if (COMPONENTS.has(files.language(file))) continue;
      if (exports.kind(row) !== "local" || !isJudged(graph, file) || isUsed(graph, row)) continue;
      yield { file, line: exports.line(row), subject: exports.name(row), about: [row] };
    }
  },
  summary: (view, { subject, ...rest }) =>
    `no file imports ${subject} of ${findingPath(view, { subject, ...rest })}`,
  evidence(view, finding) {
    const row = exportRow(finding);
    const handedOn = view.graph.exports.forwards(row).length;
    return [
      handedOn === 0 ? "nothing imports it" : `re-exported by ${handedOn} files, imported by none`,
      ...(usedInside(view, row) ? ["used within its own file"] : []),
    ];
  },
  impact: (view, finding) =>
    usedInside(view, exportRow(finding))
      ? "Only its own file uses it, so it need not be exported."
      : "It may be dead code.",
  fixes: (view, finding) => [
    usedInside(view, exportRow(finding))
      ? {
          description: `Stop exporting ${finding.subject}`,
          effort: "small",
          steps: [`Remove the word export before ${finding.subject}`],
        }
      : {
          description: `Remove ${finding.subject}`,
          effort: "small",
          steps: [`Delete ${finding.subject} from ${findingPath(view, finding)}`, "Run the tests"],
        },
  ],
  edits: (view, finding) => [
    modify(
      view,
      finding,
      usedInside(view, exportRow(finding)) ? "no longer export it" : "remove it",
      `line ${finding.line ?? 1}: ${finding.subject}`,
    ),
  ],
};
