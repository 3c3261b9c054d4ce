import type { CallError, Issue } from "../../envelope/index.ts";
import { fail, isRecord } from "../../envelope/index.ts";
import { nearestNames, pointerKey } from "../../schema/index.ts";

/** One call of a chain. Its input may contain `$from`, `$text` and `$literal`. */
export interface ChainStep {
  /** The name by which other steps refer to this step (default: `s0`, `s1`, …). */
  readonly id?: string;
  /** The id of the capability to call. */
  readonly task: string;
  /** The input of the capability (default: `{}`). */
  readonly params?: unknown;
  /** Another name for `params` (default: `{}`). */
  readonly input?: unknown;
  /**
   * JMESPath over the other steps' envelopes. The step is skipped if it is false (default: always
   * run).
   */
  readonly when?: string;
  /**
   * The idempotency key of a write (default: the chain's key and the step's id, if the chain has
   * a key).
   */
  readonly idempotency_key?: string;
  /** The account of its source to use (default: that of the chain). */
  readonly account?: string;
  /**
   * The approval token from the refusal of this step. Pass it back after a person has approved
   * (default: none).
   */
  readonly approve?: string;
  /**
   * Returns only these parts of its data in the chain's answer, or nothing for `"none"`. Paths are a
   * list, or one string with commas. The other steps see all of the data (default: all of it).
   */
  readonly select?: readonly string[] | string;
}

export interface NamedStep extends ChainStep {
  readonly id: string;
  readonly index: number;
}

/**
 * Names besides those of steps that a card's expressions can use, or that authors may expect to
 * work.
 */
export const STEP_SURROUNDINGS = ["params", "lookup", "env"] as const;

const MAX_STEPS = 100;
const STEP_ID = /^[A-Za-z_]\w*$/;
const MEMBERS: readonly string[] = [
  "id",
  "task",
  "params",
  "input",
  "when",
  "idempotency_key",
  "account",
  "approve",
  "select",
] satisfies (keyof ChainStep)[];

function invalidStep(message: string, issues: readonly Issue[] = []): CallError {
  const outcome = "not_applied";
  return fail("VALIDATION", message, issues.length === 0 ? { outcome } : { outcome, issues });
}

function strayIssue(index: number, name: string): Issue {
  const [near] = nearestNames(name, MEMBERS, 1);
  const issue = { path: `/${index}${pointerKey(name)}`, message: "is not a member of a step" };
  return near === undefined ? { ...issue, allowed: MEMBERS } : { ...issue, did_you_mean: near };
}

/** Refuses unknown members: a misspelt condition would be ignored, and the step would run. */
function assertMembers(step: object, index: number): void {
  const stray = Object.keys(step).filter((name) => !MEMBERS.includes(name));
  if (stray.length === 0) return;
  const issues = stray.map((name) => strayIssue(index, name));
  const near = issues.find(({ did_you_mean }) => did_you_mean !== undefined)?.did_you_mean;
  const hint = near === undefined ? `a step has ${MEMBERS.join(", ")}` : `did you mean ${near}?`;
  throw invalidStep(`Step ${index} has the member ${stray.join(", ")}; ${hint}`, issues);
}

function assertSelection({ select }: ChainStep, index: number): void {
  if (select === undefined || typeof select === "string") return;
  if (Array.isArray(select) && select.every((path) => typeof path === "string")) return;
  const message = 'must be a list of paths such as ["title", "items.number"], or "none"';
  throw invalidStep(`The select of step ${index} ${message}`, [
    { path: `/${index}/select`, message },
  ]);
}

/** `params` and `input` mean the same, so only one may be given. */
function readInput({ params, input }: ChainStep, index: number): Pick<ChainStep, "input"> {
  if (params !== undefined && input !== undefined) {
    throw invalidStep(`Step ${index} has both params and input. Pass only one of them`);
  }
  const given = params ?? input;
  return given === undefined ? {} : { input: given };
}

function checkStep(step: ChainStep, index: number): NamedStep {
  if (!isRecord(step) || typeof step.task !== "string" || step.task === "") {
    throw invalidStep(`Step ${index} has no task: a step is {task, params?, id?, when?}`);
  }
  assertMembers(step, index);
  assertSelection(step, index);
  const id = step.id ?? `s${index}`;
  if (typeof id !== "string" || !STEP_ID.test(id)) {
    throw invalidStep(
      `Step ${index} has the id ${JSON.stringify(id)}; an id is a word like "issue"`,
    );
  }
  const { params: _params, ...others } = step;
  return { ...others, ...readInput(step, index), id, index };
}

/**
 * The steps with their ids. Throws if the chain as a whole cannot run. The id of a step may not
 * be a name that expressions already use.
 */
export function nameSteps(steps: readonly ChainStep[], taken: readonly string[] = []): NamedStep[] {
  if (!Array.isArray(steps) || steps.length === 0)
    throw invalidStep("A chain needs at least one step. Add a step {task, params}");
  if (steps.length > MAX_STEPS) {
    throw invalidStep(
      `A chain has at most ${MAX_STEPS} steps, this one has ${steps.length}. Split it into several chains`,
    );
  }
  const named = steps.map(checkStep);
  const ids = new Set<string>();
  for (const { id } of named) {
    if (taken.includes(id))
      throw invalidStep(`The step id ${id} is reserved here. Choose another id`);
    if (ids.has(id)) throw invalidStep(`Two steps have the id ${id}. Give each step its own id`);
    ids.add(id);
  }
  return named;
}
