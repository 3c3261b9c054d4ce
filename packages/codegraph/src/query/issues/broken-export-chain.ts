import type { CodeGraph } from "../../graph/index.ts";
import { isOutsideProgram } from "../modules/live-files.ts";
import type { IssueRule } from "./issue.ts";
import { modify, findingPath } from "./issue.ts";
import { hasAllExports } from "./known-exports.ts";

/** JavaScript files are skipped, because they may declare types in comments, which are not read. */
function mayHaveTypes(graph: CodeGraph, file: number): boolean {
  return graph.files.language(file) === "typescript";
}

function isOutside(graph: CodeGraph, file: number): boolean {
  return isOutsideProgram(graph.files.path(file));
}

/** A name that is re-exported or imported from a file that does not have it. */
export const brokenExportChain: IssueRule = {
  kind: "BROKEN_EXPORT_CHAIN",
  severity: "error",
  *find({ graph }) {
    const { exports, bindings, imports } = graph;
    for (let row = 0; row < exports.count; row++) {
      if (exports.kind(row) !== "broken" || isOutside(graph, exports.file(row))) continue;
      const subject = exports.name(row);
      yield { file: exports.file(row), line: exports.line(row), subject, note: "re-exported" };
    }
    for (let row = 0; row < bindings.count; row++) {
      const name = bindings.name(row);
      const edge = bindings.edge(row);
      if (name === "*" || bindings.export(row) !== undefined) continue;
      if (isOutside(graph, imports.from(edge))) continue;
      if (imports.kind(edge) === "reexport" || !hasAllExports(graph, imports.to(edge))) continue;
      if (bindings.typeOnly(row) && !mayHaveTypes(graph, imports.to(edge))) continue;
      yield {
        file: imports.from(edge),
        line: imports.line(edge),
        subject: `${name} of ${graph.files.path(imports.to(edge))}`,
        note: "imported",
      };
    }
  },
  summary: (_view, { subject, note }) =>
    `${subject} is ${note ?? "re-exported"} but that file does not export it`,
  evidence: (_view, { note }) => [`${note ?? "re-exported"} by name; the file has no such export`],
  impact: (view, finding) =>
    `Importers of ${findingPath(view, finding)} get undefined or an error at load time.`,
  fixes: (_view, { subject }) => [
    {
      description: `Export ${subject}, or correct the name`,
      effort: "small",
      steps: ["List the exports with module", "Correct the name in one of the two files"],
    },
  ],
  edits: (view, finding) => [modify(view, finding, "name an export that exists", finding.subject)],
};
