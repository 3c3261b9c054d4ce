import { fail } from "@waybill/core";
import type { CodeGraph } from "../../graph/index.ts";
import type { ChangedFile } from "../answer/changed-file.ts";
import {
  earlyReasons,
  getCompleteness,
  lessComplete,
  typedReasons,
} from "../completeness/completeness.ts";
import type { Completeness } from "../completeness/completeness.ts";
import { definitionTarget } from "../names/definitions.ts";
import { affectedBySymbol, dependentsOfFiles, dependentsOfSymbol } from "./impact-reach.ts";
import type { Affected, FileList } from "./impact-reach.ts";
import { symbolCompleteness } from "../completeness/symbol-completeness.ts";
import { findGroup } from "../names/file-groups.ts";
import { findTarget } from "../names/target.ts";
import { dependentsInBoth } from "./dependents-before-and-after.ts";
import type { Gone } from "./dependents-before-and-after.ts";
import type { GraphView } from "../answer/view.ts";

/** The subject of an impact question. */
export interface Subject {
  readonly target: string;
  readonly targetType: "file" | "symbol" | "diff" | "folder" | "package";
  readonly files: readonly number[];
  readonly affected: Affected;
  /** Everything that depends on it, at any distance, including itself. */
  readonly all: FileList;
  readonly known: Completeness;
  /** The symbol, in the form that other tools accept. */
  readonly symbol?: string;
  readonly gone?: Gone;
}

/** All files of a folder or of a package. */
function groupSubject(view: GraphView, given: string, depth: number): Subject | undefined {
  const group = findGroup(view, given);
  if (group === undefined) return undefined;
  const { path, files, type } = group;
  const dependents = dependentsOfFiles(view.graph, files, depth);
  const known = subjectCompleteness(view, "", dependents.all);
  return { target: path, targetType: type, files, ...dependents, known };
}

function getSubject(view: GraphView, given: string, depth: number): Subject {
  const { graph } = view;
  const group = groupSubject(view, given, depth);
  if (group !== undefined) return group;
  const target = findTarget(view, given);
  const path = graph.files.path(target.file);
  const files = [target.file];
  if (target.type === "file") {
    const dependents = dependentsOfFiles(graph, files, depth);
    const known = subjectCompleteness(view, path, dependents.all.slice(1));
    return { target: path, targetType: "file", files, ...dependents, known };
  }
  const symbol = definitionTarget(graph, target.definition);
  const affected = affectedBySymbol(graph, target.definition, depth);
  const all = dependentsOfSymbol(graph, target.definition);
  const further = typedReasons(graph, all.slice(1));
  const known = lessComplete(symbolCompleteness(view, target.definition), further);
  return { target: symbol, targetType: "symbol", files, affected, all, known, symbol };
}

interface DiffOptions {
  readonly since: string;
  readonly depth: number;
  readonly before?: CodeGraph | undefined;
  /** All changes, even if the question is only about some of them. */
  readonly all?: readonly ChangedFile[];
}

/** `before` is needed for deleted files, because the current graph does not know their users. */
export function diffSubject(
  view: GraphView,
  changed: readonly ChangedFile[],
  { since, depth, before, all = changed }: DiffOptions,
): Subject {
  const { graph } = view;
  const files = changed.flatMap(({ path }) => graph.files.find(path) ?? []);
  const target = `${changed.length} ${changed.length === 1 ? "file" : "files"} changed since ${since}`;
  const subject = { target, targetType: "diff", files } as const;
  if (before === undefined) {
    const dependents = dependentsOfFiles(graph, files, depth);
    return { ...subject, ...dependents, known: subjectCompleteness(view, "", dependents.all) };
  }
  const dependents = dependentsInBoth(graph, before, changed, { depth, all });
  const { gone } = dependents;
  const known = subjectCompleteness(view, "", dependents.all);
  if (gone.files.length === 0 || known.why !== undefined)
    return { ...subject, ...dependents, known };
  const earlier = subjectCompleteness({ ...view, graph: before }, "", gone.files);
  return { ...subject, ...dependents, known: earlier };
}

/**
 * Tests and entry points need symbols, so without symbols the answer is incomplete. `others` are
 * the files whose dependents belong to the answer, beside the file at the path.
 */
function subjectCompleteness(
  view: Pick<GraphView, "graph" | "pendingFiles">,
  path: string,
  others: FileList,
): Completeness {
  const reasons = [...typedReasons(view.graph, others), ...earlyReasons(view)];
  return lessComplete(getCompleteness(view, path), reasons);
}

export interface SubjectInput {
  readonly target?: string;
  readonly depth?: number;
  readonly changedSince?: string;
}

export async function subjectFor(
  view: GraphView,
  input: SubjectInput,
  signal?: AbortSignal,
): Promise<Subject> {
  const { target, changedSince, depth = 3 } = input;
  if (target !== undefined) return getSubject(view, target, depth);
  if (changedSince === undefined) {
    throw fail("VALIDATION", "Pass a target, or changedSince", {
      issues: [{ path: "/target", message: "is required without changedSince", missing: true }],
    });
  }
  const changed = await view.changedSince(changedSince, signal);
  const isGone = changed.some(({ status }) => status === "deleted" || status === "renamed");
  const before = isGone ? await view.graphAt(changedSince, signal) : undefined;
  return diffSubject(view, changed, { since: changedSince, depth, before });
}
