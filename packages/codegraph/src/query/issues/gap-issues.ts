import { posix } from "node:path";
import type { GapKind } from "../../graph/index.ts";
import type { Finding, IssueRule } from "./issue.ts";
import { at, modify } from "./issue.ts";
import { isFolder } from "../names.ts";
import type { GraphView } from "../view.ts";

function* gapsOf({ graph }: GraphView, kind: GapKind): Generator<Finding> {
  const { gaps } = graph;
  for (let row = 0; row < gaps.count; row++) {
    if (gaps.kind(row) !== kind) continue;
    const subject = gaps.text(row);
    yield { file: gaps.file(row), line: gaps.line(row), subject, note: gaps.detail(row) };
  }
}

function namesFolder(view: GraphView, { file, subject }: Finding): boolean {
  if (!subject.startsWith(".")) return false;
  const path = posix.join(posix.dirname(view.graph.files.path(file)), subject);
  return isFolder(view.graph, path.replace(/\/+$/u, ""));
}

function shown(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

/** An import whose path is worked out when the program runs. */
export const dynamicEdgeUnknown: IssueRule = {
  kind: "DYNAMIC_EDGE_UNKNOWN",
  severity: "info",
  find: (view) => gapsOf(view, "dynamic"),
  summary: (_view, { subject }) => `${shown(subject)} is known only at run time`,
  evidence: (_view, { note }) => [note === undefined || note === "" ? "computed path" : note],
  impact: () => "Files it loads look unused, and answers about dependents are lower bounds.",
  fixes: (view, finding) => [
    {
      description: "Say what it loads",
      effort: "small",
      steps: [
        `annotations addEdge from ${at(view, finding).replace(/:\d+$/u, "")} to a path or glob`,
      ],
    },
    {
      description: "Import from a table of literal paths",
      effort: "medium",
      steps: ['List the modules as () => import("./literal")', "Choose from the list by key"],
    },
  ],
  edits: (view, finding) => [
    modify(view, finding, "import from a table of literal paths", shown(finding.subject)),
  ],
};

/** An import that leads to no file and no package. */
export const unresolvedImport: IssueRule = {
  kind: "UNRESOLVED_IMPORT",
  severity: "error",
  *find(view) {
    for (const gap of gapsOf(view, "unresolved")) {
      // What a package.json names in vain is a missing handler, not an import; and a URL may name
      // a folder.
      if (view.graph.files.kind(gap.file) === "asset" || namesFolder(view, gap)) continue;
      yield gap;
    }
  },
  summary: (_view, { subject }) => `${JSON.stringify(shown(subject))} leads nowhere`,
  evidence: (_view, { note }) => [note === undefined || note === "" ? "no such file" : note],
  impact: () => "The program fails when it loads this line, unless something generates the file.",
  fixes: (_view, { subject }) => [
    {
      description: `Correct the path ${shown(subject)}`,
      effort: "small",
      steps: ["Find the file's present place with search", "Change the import"],
    },
  ],
  edits: (view, finding) => [
    modify(view, finding, "correct or remove the import", shown(finding.subject)),
  ],
};
