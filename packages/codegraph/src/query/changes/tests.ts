import type { CodeGraph } from "../../graph/index.ts";
import type { Answer, FollowUp } from "../answer/answer.ts";
import { isIn, scopeMask } from "../names/scope.ts";
import { loadedBy } from "./loaded-by.ts";
import { subjectFor } from "./impact-subject.ts";
import type { Subject, SubjectInput } from "./impact-subject.ts";
import { checksTypes, testCommands, testsAmong } from "./test-runners.ts";
import type { GraphView } from "../answer/view.ts";

export interface TestsInput extends Omit<SubjectInput, "changedSince" | "depth"> {
  /** A git revision, `staged` or `working`. */
  readonly since?: string;
  readonly limit?: number;
  readonly scope?: string;
}

interface AffectedTests {
  readonly run: readonly number[];
  /** Tests that only import types, without loading the file. Their result stays the same. */
  readonly typeOnly: number;
}

function affectedTests(graph: CodeGraph, subject: Subject, mask?: Uint8Array): AffectedTests {
  const all = testsAmong(graph, subject.all).filter((file) => isIn(mask, file));
  // The uses of a symbol are followed one by one: a typed parameter can bring its behaviour.
  if (subject.targetType === "symbol") return { run: all, typeOnly: 0 };
  const loaded = loadedBy(graph, subject, all);
  const run = all.filter((file) => loaded.has(file) || checksTypes(graph, file));
  return { run, typeOnly: all.length - run.length };
}

/** `impact` lists the tests that only import types too. */
function followUps({ target, since }: TestsInput, typeOnly: number): FollowUp[] {
  if (typeOnly === 0) return [];
  const of = target === undefined ? { changedSince: since } : { target };
  const args = { ...of, include: ["affectedTests"] };
  return [{ tool: "impact", args, reason: "includes the tests that only import types" }];
}

/** The tests that a change of a target or a diff affects, and how to run them. */
export async function tests(
  view: GraphView,
  input: TestsInput,
  signal?: AbortSignal,
): Promise<Answer<number>> {
  const { target, since, limit = 50, scope } = input;
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
  const { run, typeOnly } = affectedTests(graph, subject, scopeMask(view, scope));
  return {
    items: run,
    limit,
    levels: 1,
    limits: { maxItems: limit },
    next: followUps(input, typeOnly),
    render: (shown, level) => ({
      target: subject.target,
      tests: shown.map((file) => graph.files.path(file)),
      testsTotal: run.length,
      ...(typeOnly > 0 && { typeOnlyTests: typeOnly }),
      ...(level === 0 && { run: testCommands(graph, shown) }),
      ...subject.known,
    }),
  };
}
