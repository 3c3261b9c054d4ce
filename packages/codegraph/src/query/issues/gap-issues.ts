import { posix } from "node:path";
import type { GapKind } from "../../graph/index.ts";
import type { Finding, IssueRule } from "./issue.ts";
import { findingLocation, modify } from "./issue.ts";
import { isFolder } from "../names/names.ts";
import type { GraphView } from "../answer/view.ts";

const MAX_IMPORTERS = 8;

function* getGaps({ graph }: GraphView, kind: GapKind): Generator<Finding> {
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

/** The target of an import. Relative specifiers for the same file count as one. */
function missingModule({ graph }: GraphView, { file, subject }: Finding): string {
  if (!subject.startsWith(".")) return subject;
  return posix.join(posix.dirname(graph.files.path(file)), subject).replace(/\.[cm]?[jt]sx?$/u, "");
}

function shownSpecifier(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

/** An import whose path is computed at run time. */
export const dynamicEdgeUnknown: IssueRule = {
  kind: "DYNAMIC_EDGE_UNKNOWN",
  severity: "info",
  find: (view) => getGaps(view, "dynamic"),
  summary: (_view, { subject }) => `${shownSpecifier(subject)} is known only at run time`,
  evidence: (_view, { note }) => [note === undefined || note === "" ? "computed path" : note],
  impact: () => "Files that it loads look unused, and answers about dependents may miss files.",
  fixes: (view, finding) => [
    {
      description: "Declare what it loads",
      effort: "small",
      steps: [
        `annotations addEdge from ${findingLocation(view, finding).replace(/:\d+$/u, "")} to a path or glob`,
      ],
    },
    {
      description: "Import from a table of literal paths",
      effort: "medium",
      steps: [
        'Write a table of the modules as () => import("./literal")',
        "Pick the module from that table by its key",
      ],
    },
  ],
  edits: (view, finding) => [
    modify(view, finding, "import from a table of literal paths", shownSpecifier(finding.subject)),
  ],
};

/** An import that resolves to no file and no package. */
export const unresolvedImport: IssueRule = {
  kind: "UNRESOLVED_IMPORT",
  severity: "error",
  *find(view) {
    const missing = new Map<string, Finding[]>();
    for (const gap of getGaps(view, "unresolved")) {
      // A missing file in a package.json is reported as a missing handler, and a URL may name a
      // folder.
      const kind = view.graph.files.kind(gap.file);
      if (kind === "asset" || kind === "generated" || namesFolder(view, gap)) continue;
      const known = missing.get(missingModule(view, gap));
      if (known) known.push(gap);
      else missing.set(missingModule(view, gap), [gap]);
    }
    for (const [first, ...others] of missing.values()) {
      const files = new Set([first!, ...others].map(({ file }) => file));
      yield { ...first!, files: [...files] };
    }
  },
  summary: (_view, { subject, files = [] }) => {
    const more = files.length > 1 ? `; ${files.length} files import it` : "";
    return `${JSON.stringify(shownSpecifier(subject))} does not resolve${more}`;
  },
  evidence: (view, { note, files = [] }) => [
    note === undefined || note === "" ? "no such file" : note,
    ...files.slice(0, MAX_IMPORTERS).map((file) => `imported by ${view.graph.files.path(file)}`),
  ],
  impact: () => "The program fails when it loads this line, unless something generates the file.",
  fixes: (_view, { subject }) => [
    {
      description: `Correct the path ${shownSpecifier(subject)}`,
      effort: "small",
      steps: ["Find the file's current path with search", "Change the import"],
    },
  ],
  edits: (view, finding) => [
    modify(view, finding, "correct or remove the import", shownSpecifier(finding.subject)),
  ],
};
