import type { GraphView } from "../answer/view.ts";
import type { IssueKind, Severity } from "../answer/issue-kinds.ts";

/** A possible problem, before it is written as text. */
export interface Finding {
  readonly file: number;
  readonly line?: number;
  /**
   * The subject of the issue within the file. Kind, path and subject form the id, so the subject
   * contains no line number.
   */
  readonly subject: string;
  readonly severity?: Severity;
  /** The symbols that the text refers to. */
  readonly about?: readonly number[];
  readonly note?: string;
  /** All files of the issue, if there are several. */
  readonly files?: readonly number[];
}

export interface Fix {
  readonly description: string;
  readonly effort: "small" | "medium" | "large";
  readonly steps: readonly string[];
}

/** A change that would fix an issue. */
export interface Edit {
  readonly file: string;
  readonly action: "modify" | "delete" | "create";
  readonly description: string;
  readonly changes: readonly string[];
}

/** One kind of issue: how to find it, describe it and fix it. */
export interface IssueRule {
  readonly kind: IssueKind;
  readonly severity: Severity;
  /** Whether the check needs entry points. Without them it would report every file. */
  readonly needsEntrypoints?: true;
  find(view: GraphView): Iterable<Finding>;
  summary(view: GraphView, finding: Finding): string;
  evidence(view: GraphView, finding: Finding): readonly string[];
  impact(view: GraphView, finding: Finding): string;
  fixes(view: GraphView, finding: Finding): readonly Fix[];
  edits(view: GraphView, finding: Finding): readonly Edit[];
}

export interface Issue {
  readonly id: string;
  readonly kind: IssueKind;
  readonly severity: Severity;
  readonly file: number;
  readonly finding: Finding;
  readonly rule: IssueRule;
}

export function findingPath(view: GraphView, { file }: Finding): string {
  return view.graph.files.path(file);
}

export function findingLocation(view: GraphView, finding: Finding): string {
  const path = findingPath(view, finding);
  return finding.line === undefined ? path : `${path}:${finding.line}`;
}

export function modify(
  view: GraphView,
  finding: Finding,
  description: string,
  ...changes: string[]
): Edit {
  return { file: findingPath(view, finding), action: "modify", description, changes };
}
