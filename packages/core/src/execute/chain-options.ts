import { CallError } from "../envelope/index.ts";
import type { Issue } from "../envelope/index.ts";
import { nearestNames, pointerKey } from "../schema/index.ts";
import { assertOptions } from "./options.ts";

/** What may be asked of a chain as a whole. */
export interface ChainOptions {
  /** Whether the other steps go on when one fails; they do unless told otherwise. */
  readonly on_error?: "continue" | "stop";
  /** Lets neighbouring writes travel in one request, where a route can. */
  readonly merge_writes?: boolean;
  readonly dry_run?: boolean;
  /** Each write gets this key and its step's id, unless it has one of its own. */
  readonly idempotency_key?: string;
  /** For the whole chain. */
  readonly deadline_ms?: number;
  readonly signal?: AbortSignal;
  readonly trace?: boolean;
}

const NAMES: readonly string[] = [
  "on_error",
  "merge_writes",
  "dry_run",
  "idempotency_key",
  "deadline_ms",
  "signal",
  "trace",
] satisfies (keyof ChainOptions)[];

function unknownName(name: string): Issue {
  const [near] = nearestNames(name, NAMES, 1);
  const issue: Issue = { path: pointerKey(name), message: "is not an option of a chain" };
  return near === undefined ? { ...issue, allowed: NAMES } : { ...issue, did_you_mean: near };
}

/** Refuses options that would be misread: a chain that should stop must not go on. */
export function assertChainOptions(options: ChainOptions): void {
  const { on_error, merge_writes, ...others } = options;
  const issues = Object.keys(options).flatMap((name) =>
    NAMES.includes(name) ? [] : unknownName(name),
  );
  if (on_error !== undefined && on_error !== "continue" && on_error !== "stop") {
    const allowed = ["continue", "stop"];
    issues.push({ path: "/on_error", message: "must be one of continue, stop", allowed });
  }
  if (merge_writes !== undefined && typeof merge_writes !== "boolean") {
    issues.push({ path: "/merge_writes", message: "must be true or false" });
  }
  if (issues.length === 0) {
    assertOptions(others);
    return;
  }
  const message = issues.map(({ path, message: why }) => `${path} ${why}`).join("; ");
  const details = { issues, outcome: "not_applied" } as const;
  throw new CallError("VALIDATION_ERROR", `Invalid options: ${message}`, details);
}
