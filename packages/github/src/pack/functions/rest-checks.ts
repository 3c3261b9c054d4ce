import type { CardFunctions } from "@waybill/core/cards";
import type { Annotation, Context } from "./checks.ts";
import { over } from "./typed.ts";

interface RestCheckRun {
  readonly id: number;
  readonly name: string;
  readonly status: string;
  readonly conclusion: string | null;
  readonly details_url: string | null;
  readonly check_suite: { readonly id: number } | null;
}

interface RestAnnotation {
  readonly path: string;
  readonly start_line: number;
  readonly annotation_level: string | null;
  readonly message: string | null;
}

interface RestStatus {
  readonly context: string;
  readonly state: string;
  readonly target_url: string | null;
}

/** The checks of a commit from several REST answers. */
interface RestChecks {
  readonly checkRuns: readonly RestCheckRun[];
  readonly workflowRuns: readonly {
    readonly id: number;
    readonly name: string;
    readonly suite: number;
  }[];
  /** The check runs with annotations. `annotations` has one list for each, in the same order. */
  readonly annotated: readonly number[];
  readonly annotations: readonly (readonly RestAnnotation[])[];
  readonly statuses: readonly RestStatus[];
}

function getAnnotation(note: RestAnnotation): Annotation {
  return {
    path: note.path,
    annotationLevel: note.annotation_level?.toUpperCase() ?? null,
    message: note.message ?? "",
    location: { start: { line: note.start_line } },
  };
}

function runContext(run: RestCheckRun, rest: RestChecks): Context {
  const own = rest.workflowRuns.find(({ suite }) => suite === run.check_suite?.id);
  const workflowRun = own && { databaseId: own.id, workflow: { name: own.name } };
  const notes = rest.annotations[rest.annotated.indexOf(run.id)] ?? [];
  return {
    name: run.name,
    status: run.status.toUpperCase(),
    conclusion: run.conclusion?.toUpperCase() ?? null,
    detailsUrl: run.details_url,
    checkSuite: { workflowRun: workflowRun ?? null },
    annotations: { nodes: notes.map(getAnnotation) },
  };
}

function statusContext({ context, state, target_url }: RestStatus): Context {
  return { context, state: state.toUpperCase(), targetUrl: target_url };
}

export const restCheckFunctions: CardFunctions = {
  /** The checks in GraphQL's form. */
  restContexts: over((rest: RestChecks): readonly Context[] => [
    ...rest.checkRuns.map((run) => runContext(run, rest)),
    ...rest.statuses.map(statusContext),
  ]),
};
