import type { CodeGraph } from "../../graph/index.ts";
import type { Answer } from "../answer/answer.ts";
import { isIn, scopeMask } from "../names/scope.ts";
import { subjectFor } from "./subject.ts";
import type { SubjectInput } from "./subject.ts";
import { findRunner, testCommands } from "./test-runners.ts";
import type { AffectedTest } from "./test-runners.ts";
import type { GraphView } from "../answer/view.ts";

export interface TestsInput extends Omit<SubjectInput, "changedSince" | "depth"> {
  /** A git revision, `staged` or `working`. */
  readonly since?: string;
  readonly limit?: number;
  readonly scope?: string;
}

/** The files that a test runner opens, without their helpers. */
function testsAmong(graph: CodeGraph, files: Iterable<number>): AffectedTest[] {
  const found: AffectedTest[] = [];
  for (const file of files) {
    const runner = findRunner(graph, file);
    if (runner !== undefined) found.push({ file, ...runner });
  }
  return found;
}

/** The tests that a change of a target or a diff affects, and how to run them. */
export async function tests(
  view: GraphView,
  { target, since, limit = 50, scope }: TestsInput,
  signal?: AbortSignal,
): Promise<Answer<AffectedTest>> {
  const { graph } = view;
  const subject = await subjectFor(
    view,
    {
      ...(target !== undefined && { target }),
      ...(since !== undefined && { changedSince: since }),
      depth: 1,
    },
    signal,
  );
  const mask = scopeMask(view, scope);
  const found = testsAmong(graph, subject.all).filter(({ file }) => isIn(mask, file));
  return {
    items: found,
    limit,
    levels: 1,
    limits: { maxItems: limit },
    render: (shown, level) => ({
      target: subject.target,
      tests: shown.map(({ file }) => graph.files.path(file)),
      testsTotal: found.length,
      ...(level === 0 && { run: testCommands(graph, shown) }),
      ...subject.known,
    }),
  };
}
