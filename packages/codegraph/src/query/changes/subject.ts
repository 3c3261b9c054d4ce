import { fail } from "@waybill/core";
import type { CodeGraph } from "../../graph/index.ts";
import type { ChangedFile } from "../answer/changed-file.ts";
import { getCompleteness, earlyReasons, lessComplete } from "../completeness/completeness.ts";
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
  const known = subjectCompleteness(view, "");
  return {
    target: path,
    targetType: type,
    files,
    ...dependentsOfFiles(view.graph, files, depth),
    known,
  };
}

function getSubject(view: GraphView, given: string, depth: number): Subject {
  const { graph } = view;
  const group = groupSubject(view, given, depth);
  if (group !== undefined) return group;
  const target = findTarget(view, given);
  const path = graph.files.path(target.file);
  const files = [target.file];
  if (target.type === "file") {
    const known = subjectCompleteness(view, path);
    const dependents = dependentsOfFiles(graph, files, depth);
    return { target: path, targetType: "file", files, ...dependents, known };
  }
  const symbol = definitionTarget(graph, target.definition);
  const affected = affectedBySymbol(graph, target.definition, depth);
  const known = symbolCompleteness(view, target.definition);
  const all = dependentsOfSymbol(graph, target.definition);
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
  const subject = {
    target,
    targetType: "diff",
    files,
    known: subjectCompleteness(view, ""),
  } as const;
  if (before === undefined) return { ...subject, ...dependentsOfFiles(graph, files, depth) };
  const dependents = dependentsInBoth(graph, before, changed, { depth, all });
  const isCertain = dependents.gone.files.length === 0 || subject.known.why !== undefined;
  return {
    ...subject,
    ...dependents,
    known: isCertain ? subject.known : subjectCompleteness({ ...view, graph: before }, ""),
  };
}

/** Tests and entry points need symbols, so without symbols the answer is incomplete. */
function subjectCompleteness(
  view: Pick<GraphView, "graph" | "pendingFiles">,
  path: string,
): Completeness {
  return lessComplete(getCompleteness(view, path), earlyReasons(view));
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
