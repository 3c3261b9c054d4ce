import type { CodeGraph } from "../../graph/index.ts";
import { hasAllExports } from "./known-exports.ts";
import type { IssueRule } from "./issue.ts";
import { modify } from "./issue.ts";

/** The detail of a gap for a missing file in a manifest starts with one of these fields. */
const ENTRY_FIELDS = /^(?:main|module|browser|bin|exports|types|handler)\b/u;

function lacksDefault(graph: CodeGraph, file: number): boolean {
  const offers = ["default", "export="].some(
    (name) => graph.exports.find(file, name) !== undefined,
  );
  return !offers && hasAllExports(graph, file);
}

/** An entry point without a target: a page without its component, or an entry without its file. */
export const entryMissingHandler: IssueRule = {
  kind: "ENTRY_MISSING_HANDLER",
  severity: "error",
  *find({ graph }) {
    const { entrypoints, gaps } = graph;
    for (let row = 0; row < entrypoints.count; row++) {
      const file = entrypoints.file(row);
      if (entrypoints.kind(row) !== "page" || !lacksDefault(graph, file)) continue;
      const [line, subject] = [entrypoints.line(row), entrypoints.text(row)];
      yield { file, line, subject, note: "the page exports no component" };
    }
    for (let row = 0; row < gaps.count; row++) {
      if (gaps.kind(row) !== "unresolved" || !ENTRY_FIELDS.test(gaps.detail(row))) continue;
      const [file, line, subject] = [gaps.file(row), gaps.line(row), gaps.text(row)];
      yield { file, line, subject, note: `${gaps.detail(row)} names a file that does not exist` };
    }
  },
  summary: (_view, { subject, note }) => `${subject}: ${note ?? "no handler"}`,
  evidence: (_view, { note }) => [note ?? "no handler was found"],
  impact: (_view, { subject }) => `${subject} fails at the first request.`,
  fixes: (_view, { subject }) => [
    {
      description: `Add the missing handler of ${subject}`,
      effort: "small",
      steps: ["Export the handler under the name that is expected", "Or correct the entry"],
    },
  ],
  edits: (view, finding) => [modify(view, finding, "export the handler, or correct the entry")],
};
