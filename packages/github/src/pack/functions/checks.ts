import type { CardFunctions } from "@waybill/core/cards";
import { over, present } from "./typed.ts";
import type { Params } from "./typed.ts";

type Bucket = "failed" | "pending" | "passed";

export interface Annotation {
  readonly path: string;
  readonly annotationLevel: string | null;
  readonly message: string;
  readonly location: { readonly start: { readonly line: number } };
}

/** A check run, or a commit status of another service. */
export interface Context {
  readonly name?: string;
  readonly status?: string;
  readonly conclusion?: string | null;
  readonly detailsUrl?: string | null;
  readonly annotations?: { readonly nodes: readonly (Annotation | null)[] | null } | null;
  readonly checkSuite?: {
    readonly workflowRun: {
      readonly databaseId: number | null;
      readonly workflow?: { readonly name: string };
    } | null;
  } | null;
  readonly context?: string;
  readonly state?: string;
  readonly targetUrl?: string | null;
}

interface Check {
  readonly name: string;
  readonly state: string;
  readonly bucket: Bucket;
  readonly workflow: string | null;
  readonly runId: number | null;
  readonly link: string | null;
  readonly annotations: readonly object[];
}

const PASSED: ReadonlySet<string> = new Set(["SUCCESS", "NEUTRAL", "SKIPPED"]);
const FAILED: ReadonlySet<string> = new Set([
  "FAILURE",
  "ERROR",
  "CANCELLED",
  "TIMED_OUT",
  "ACTION_REQUIRED",
  "STARTUP_FAILURE",
]);

/** Whether a state counts as passed, failed or pending. Unknown states count as pending. */
function getBucket(state: string): Bucket {
  if (PASSED.has(state)) return "passed";
  return FAILED.has(state) ? "failed" : "pending";
}

function getNote({ path, annotationLevel, message, location }: Annotation): object {
  return { path, line: location.start.line, level: annotationLevel, message };
}

function getCheck(context: Context): Check {
  const state = context.state ?? context.conclusion ?? context.status ?? "PENDING";
  const run = context.checkSuite?.workflowRun ?? null;
  return {
    name: context.name ?? context.context ?? "",
    state,
    bucket: getBucket(state),
    workflow: run?.workflow?.name ?? null,
    runId: run?.databaseId ?? null,
    link: context.detailsUrl ?? context.targetUrl ?? null,
    annotations: present(context.annotations?.nodes).map(getNote),
  };
}

function countBucket(checks: readonly Check[], bucket: Bucket): number {
  return checks.filter((check) => check.bucket === bucket).length;
}

function checkCounts(checks: readonly Check[]): Record<string, number> {
  return {
    total: checks.length,
    failed: countBucket(checks, "failed"),
    pending: countBucket(checks, "pending"),
    passed: countBucket(checks, "passed"),
  };
}

function isAsked({ bucket }: Check, { state }: Params): boolean {
  return state === undefined || state === bucket;
}

/** The facts that an agent needs next: which check failed, and where to read why. */
function failing({ name, runId, link }: Check): object {
  return { name, runId, link };
}

type Contexts = readonly (Context | null)[] | null;

function getChecks(contexts: Contexts): Check[] {
  return present(contexts).map(getCheck);
}

export const checkFunctions: CardFunctions = {
  checks: over((contexts: Contexts, params) =>
    getChecks(contexts).filter((check) => isAsked(check, params)),
  ),
  checkSummary: over((contexts: Contexts) => checkCounts(getChecks(contexts))),
  failingChecks: over((contexts: Contexts) =>
    getChecks(contexts)
      .filter(({ bucket }) => bucket === "failed")
      .map(failing),
  ),
};
