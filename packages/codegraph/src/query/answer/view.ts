import type { CodeGraph } from "../../graph/index.ts";
import type { LayerRules } from "../../rules/index.ts";
import type { Ignore } from "../../annotations/index.ts";
import type { FileWords } from "./file-words.ts";
import type { ChangedFile } from "./changed-file.ts";

/** All that a question may look at: the graph with what people wrote beside it laid over. */
export interface GraphView {
  /** The folder that the graph is of. */
  readonly root: string;
  readonly graph: CodeGraph;
  /** Files that are known to have changed and are not in the graph as they are now. */
  readonly pendingFiles: number;
  /** Issues that people do not want to hear of. */
  readonly ignores: readonly Ignore[];
  readonly rules: LayerRules;
  /** A line of a file, 1-based and without its indentation; empty where it cannot be read. */
  lineText(path: string, line: number): string;
  /** All lines of a file, without their ends; none where it cannot be read. */
  lines(path: string): readonly string[];
  /** Which of the terms occur in the text of each file. */
  words(terms: readonly string[], signal?: AbortSignal): Promise<FileWords>;
  /**
   * The changed files: a revision compared with the disk; `working` compares the index with the
   * disk, `staged` compares HEAD with the index.
   */
  changedSince(since: string, signal?: AbortSignal): Promise<readonly ChangedFile[]>;
  /** The graph as it was on the first side of that: at the revision, or in the index. */
  graphAt(since: string, signal?: AbortSignal): Promise<CodeGraph>;
}
