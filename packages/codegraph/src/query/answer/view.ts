import type { CodeGraph } from "../../graph/index.ts";
import type { LayerRules } from "../../rules/index.ts";
import type { Ignore } from "../../annotations/index.ts";
import type { FileWords } from "./file-words.ts";
import type { ChangedFile } from "./changed-file.ts";

/** Everything that a question can use: the graph with annotations and rules. */
export interface GraphView {
  /** The root folder of the graph. */
  readonly root: string;
  readonly graph: CodeGraph;
  /** The number of changed files that are not in the graph yet. */
  readonly pendingFiles: number;
  /** Issues that people chose to ignore. */
  readonly ignores: readonly Ignore[];
  readonly rules: LayerRules;
  /** A line of a file, 1-based and without indentation; empty if it cannot be read. */
  lineText(path: string, line: number): string;
  /** All lines of a file, without line breaks; empty if it cannot be read. */
  lines(path: string): readonly string[];
  /** The terms in the text of each file. */
  words(terms: readonly string[], signal?: AbortSignal): Promise<FileWords>;
  /**
   * The changed files: a revision compared with the disk; `working` compares the index with the
   * disk, `staged` compares HEAD with the index.
   */
  changedSince(since: string, signal?: AbortSignal): Promise<readonly ChangedFile[]>;
  /** The graph of the earlier state in that comparison: the revision or the index. */
  graphAt(since: string, signal?: AbortSignal): Promise<CodeGraph>;
}
