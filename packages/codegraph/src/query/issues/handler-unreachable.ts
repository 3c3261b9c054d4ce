import type { CodeGraph } from "../../graph/index.ts";
import { linkCount, linksIn } from "../../analysis/index.ts";
import { enteredPackages, isJudged, liveFiles } from "../modules/live-files.ts";
import { servedIn } from "../modules/entrypoints.ts";
import { folderName } from "../names/names.ts";
import type { Finding, IssueRule } from "./issue.ts";
import { findingPath } from "./issue.ts";
import type { GraphView } from "../answer/view.ts";

function served({ graph }: GraphView, { file }: Finding): string[] {
  return servedIn(graph, file).map((row) => graph.entrypoints.text(row));
}

function importers({ graph }: GraphView, { file }: Finding): number {
  return linkCount(linksIn(graph), file);
}

function deadFiles(graph: CodeGraph): number[] {
  const live = liveFiles(graph);
  const entered = enteredPackages(graph);
  return Array.from({ length: graph.files.count }, (_, file) => file).filter(
    (file) => live[file] === 0 && entered[file] === 1 && isJudged(graph, file),
  );
}

/** The fewest files of a folder for which the folder is judged as a whole. */
const MIN_FILES = 3;
const MAX_SHARE = 0.5;

/**
 * If most files of a folder look dead, a framework probably loads them in a way that is not
 * visible, so none of them is reported.
 */
function believable(graph: CodeGraph, dead: readonly number[]): number[] {
  const all = countByFolder(
    graph,
    Array.from({ length: graph.files.count }, (_, file) => file).filter((file) =>
      isJudged(graph, file),
    ),
  );
  const lost = countByFolder(graph, dead);
  return dead.filter((file) => {
    for (
      let folder = folderName(graph.files.path(file));
      folder !== "";
      folder = folderName(folder)
    ) {
      const [part, whole] = [lost.get(folder) ?? 0, all.get(folder) ?? 0];
      if (part >= MIN_FILES && part > whole * MAX_SHARE) return false;
    }
    return true;
  });
}

/** The number of these files below each folder. */
function countByFolder(graph: CodeGraph, files: readonly number[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const file of files) {
    for (
      let folder = folderName(graph.files.path(file));
      folder !== "";
      folder = folderName(folder)
    ) {
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
  }
  return counts;
}

/** Code that nothing leads to: no entry point, no test, no configuration. */
export const handlerUnreachable: IssueRule = {
  kind: "HANDLER_UNREACHABLE",
  severity: "warning",
  needsEntrypoints: true,
  *find({ graph }) {
    for (const file of believable(graph, deadFiles(graph))) {
      const [handler] = servedIn(graph, file);
      const line = handler === undefined ? {} : { line: graph.entrypoints.line(handler) };
      yield { file, subject: "", ...line };
    }
  },
  summary(view, finding) {
    const names = served(view, finding);
    const what =
      names.length === 0
        ? findingPath(view, finding)
        : `${names[0]!} (${findingPath(view, finding)})`;
    return `no entry point reaches ${what}`;
  },
  evidence(view, finding) {
    const count = importers(view, finding);
    return count === 0
      ? ["no file imports it"]
      : [`imported by ${count} files that no entry point reaches either`];
  },
  impact(view, finding) {
    const names = served(view, finding);
    return names.length === 0
      ? "The file is not part of any program here. Remove it, or import it."
      : `${names.slice(0, 3).join(", ")} is declared but never served.`;
  },
  fixes: (view, finding) => [
    {
      description: "Import it where the program starts",
      effort: "small",
      steps: [`Import ${findingPath(view, finding)} from the module that should use it`],
    },
    {
      description: "Remove it",
      effort: "small",
      steps: [`Delete ${findingPath(view, finding)}`, "Run the tests"],
    },
    {
      description: "Declare it as an entry point",
      effort: "small",
      steps: [`annotations addEntrypoint with path ${findingPath(view, finding)}`],
    },
  ],
  edits: (view, finding) => [
    {
      file: findingPath(view, finding),
      action: "delete",
      description: "delete it, or import it where it belongs",
      changes: [],
    },
  ],
};
