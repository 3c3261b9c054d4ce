import { linkCount, linksIn } from "../../analysis/index.ts";
import { enteredPackages, isJudged, liveFiles } from "../live-files.ts";
import { servedIn } from "../entrypoints.ts";
import type { Finding, IssueRule } from "./issue.ts";
import { pathOf } from "./issue.ts";
import type { GraphView } from "../view.ts";

function served({ graph }: GraphView, { file }: Finding): string[] {
  return servedIn(graph, file).map((row) => graph.entrypoints.text(row));
}

function importers({ graph }: GraphView, { file }: Finding): number {
  return linkCount(linksIn(graph), file);
}

/** Code that nothing which runs leads to: from no way in, no test, no configuration. */
export const handlerUnreachable: IssueRule = {
  kind: "HANDLER_UNREACHABLE",
  severity: "warning",
  needsEntrypoints: true,
  *find({ graph }) {
    const live = liveFiles(graph);
    const entered = enteredPackages(graph);
    for (let file = 0; file < graph.files.count; file++) {
      if (live[file] === 1 || entered[file] === 0 || !isJudged(graph, file)) continue;
      const [handler] = servedIn(graph, file);
      const line = handler === undefined ? {} : { line: graph.entrypoints.line(handler) };
      yield { file, subject: "", ...line };
    }
  },
  summary(view, finding) {
    const names = served(view, finding);
    const what =
      names.length === 0 ? pathOf(view, finding) : `${names[0]!} (${pathOf(view, finding)})`;
    return `nothing that runs leads to ${what}`;
  },
  evidence(view, finding) {
    const count = importers(view, finding);
    return count === 0
      ? ["no file imports it"]
      : [`imported by ${count} files that nothing leads to either`];
  },
  impact(view, finding) {
    const names = served(view, finding);
    return names.length === 0
      ? "The file is not part of any program here; it can be removed or has to be imported."
      : `${names.slice(0, 3).join(", ")} is declared but never served.`;
  },
  fixes: (view, finding) => [
    {
      description: "Import it where the program starts",
      effort: "small",
      steps: [`Import ${pathOf(view, finding)} from the module that should use it`],
    },
    {
      description: "Remove it",
      effort: "small",
      steps: [`Delete ${pathOf(view, finding)}`, "Run the tests"],
    },
    {
      description: "Say that it is entered from outside",
      effort: "small",
      steps: [`annotations addEntrypoint with path ${pathOf(view, finding)}`],
    },
  ],
  edits: (view, finding) => [
    {
      file: pathOf(view, finding),
      action: "delete",
      description: "delete it, unless it should be imported somewhere",
      changes: [],
    },
  ],
};
