import {
  Pending,
  isTrue,
  looksOnlyAt,
  nameSteps,
  orderSteps,
  plainPath,
  prepareInput,
  readExpression,
  stepsNeeded,
} from "../../cards/index.ts";
import type {
  ChainStep,
  NamedStep,
  Order,
  PreparedInput,
  StepExpression,
} from "../../cards/index.ts";
import {
  CallError,
  errorFromUnknown,
  fail,
  failureResult,
  successResult,
  toResultError,
} from "../../envelope/index.ts";
import type { ResultEnvelope } from "../../envelope/index.ts";
import { nearestNames } from "../../schema/index.ts";
import type { ChainResult } from "./chain-result.ts";

/** What a chain needs to know of a task before anything is sent. */
interface TaskFacts {
  readonly isWrite: boolean;
  readonly source: string;
  /** Whether it is a write that may be sent together with others of its source. */
  readonly isMergeable?: boolean;
  /** The key of a write. */
  readonly key?: string | undefined;
}

/** A step whose input is complete, ready to be called like any single call. */
export interface ReadyStep {
  readonly step: NamedStep;
  readonly facts: TaskFacts;
  readonly input: unknown;
  /** Parts of it only an earlier step can tell, which a dry run does not ask. */
  readonly isPending: boolean;
}

export interface ChainHooks {
  /** Makes the tasks known; throws when the chain as a whole must not be run. */
  begin?(): Promise<void>;
  /** Throws for a task that does not exist. */
  facts(step: NamedStep): TaskFacts;
  /** Throws what is wrong with a step's input, leaving aside the places still to be filled. */
  check(step: NamedStep, input: PreparedInput): Promise<void>;
  /** Throws when a reference leads to where a step's output has nothing. */
  checkReference(path: readonly string[] | undefined, steps: ReadonlyMap<string, string>): void;
  /** Calls steps that may run side by side; answers in their order, never throws. */
  run(steps: readonly ReadyStep[]): Promise<readonly ResultEnvelope[]>;
  readonly requestId: string;
}

export interface ChainRunOptions {
  readonly on_error?: "continue" | "stop";
  /** What expressions see besides the steps; no step may be called so. */
  readonly given?: Readonly<Record<string, unknown>>;
  /** Nothing is sent, so that what a step would answer is not known to those after it. */
  readonly isDry?: boolean;
}

interface PreparedStep {
  readonly step: NamedStep;
  readonly facts: TaskFacts | undefined;
  readonly input: PreparedInput | undefined;
  readonly when: StepExpression | undefined;
  readonly needs: readonly string[];
  /** Why the step cannot be called at all. */
  readonly problem: CallError | undefined;
}

function failed(step: NamedStep, error: CallError, requestId: string): ResultEnvelope {
  const resultError = toResultError(error, { requestId, isWrite: true, isRepeatable: false });
  return failureResult(resultError, { capability_id: step.task, request_id: requestId });
}

function cancelled(step: NamedStep, why: string, requestId: string): ResultEnvelope {
  const error = new CallError("ABORTED", why, { outcome: "not_applied" });
  return failed(step, error, requestId);
}

/** One chain on its way from its steps to its results. */
class ChainRun {
  readonly #hooks: ChainHooks;
  readonly #stopsOnError: boolean;
  readonly #isDry: boolean;
  readonly #given: Readonly<Record<string, unknown>>;
  readonly #scope: Record<string, unknown>;
  readonly #results: (ResultEnvelope | undefined)[] = [];
  #steps: PreparedStep[] = [];
  #isStopped = false;

  constructor(hooks: ChainHooks, options: ChainRunOptions) {
    this.#hooks = hooks;
    this.#stopsOnError = options.on_error === "stop";
    this.#isDry = options.isDry === true;
    this.#given = options.given ?? {};
    const nothing = Object.create(null) as Record<string, unknown>;
    this.#scope = Object.assign(nothing, options.given);
  }

  async run(named: readonly NamedStep[]): Promise<readonly ResultEnvelope[]> {
    this.#steps = await Promise.all(named.map((step) => this.#prepare(step, named)));
    const order = orderSteps(this.#steps.map(toOrdered), this.#stopsOnError);
    this.#settleProblems();
    for (;;) {
      const ready = this.#readyOnes(order);
      if (ready.length === 0) break;
      await this.#runWave(ready);
    }
    return this.#steps.map(({ step }, index) => this.#results[index] ?? this.#stopped(step));
  }

  async #prepare(step: NamedStep, all: readonly NamedStep[]): Promise<PreparedStep> {
    const tasks = new Map(all.filter(({ id }) => id !== step.id).map(({ id, task }) => [id, task]));
    let facts: TaskFacts | undefined;
    let input: PreparedInput | undefined;
    try {
      facts = this.#hooks.facts(step);
      const when = step.when === undefined ? undefined : await readExpression(step.when);
      // What is known to be left out is not looked at: it may lack what its condition asks for.
      input = await prepareInput(this.#isLeftOut(when) ? {} : step.input, this.#given);
      const expressions = [
        ...input.references.map(({ expression }) => expression),
        ...(when ? [when] : []),
      ];
      const needs = expressions
        .flatMap((one) => stepsNeeded(one, [...tasks.keys()]))
        .filter((id) => !Object.hasOwn(this.#given, id));
      assertSteps(needs, all);
      for (const one of expressions) this.#hooks.checkReference(plainPath(one), tasks);
      if (!this.#isLeftOut(when)) await this.#hooks.check(step, input);
      return { step, facts, input, when, needs, problem: undefined };
    } catch (thrown) {
      const problem = errorFromUnknown(thrown);
      return { step, facts, input, when: undefined, needs: [], problem };
    }
  }

  #isLeftOut(when: StepExpression | undefined): boolean {
    return when !== undefined && looksOnlyAt(when, this.#given) && !isTrue(when, this.#scope);
  }

  /** A step that cannot be called fails alone; when the chain stops on errors, nothing is sent. */
  #settleProblems(): void {
    this.#steps.forEach(({ step, problem }, index) => {
      if (problem === undefined) return;
      this.#settle(index, failed(step, problem, this.#hooks.requestId));
    });
  }

  #settle(index: number, result: ResultEnvelope, seen: unknown = result): void {
    this.#results[index] = result;
    this.#scope[this.#steps[index]!.step.id] = seen;
    if (!result.ok && this.#stopsOnError) this.#isStopped = true;
  }

  #stopped(step: NamedStep): ResultEnvelope {
    return cancelled(
      step,
      "An earlier step failed and the chain stops on errors",
      this.#hooks.requestId,
    );
  }

  #readyOnes(order: Order): number[] {
    if (this.#isStopped) return [];
    const ready: number[] = [];
    order.forEach((before, index) => {
      if (this.#results[index] !== undefined) return;
      if ([...before].every((other) => this.#results[other] !== undefined)) ready.push(index);
    });
    return ready;
  }

  async #runWave(indexes: readonly number[]): Promise<void> {
    const ready: { index: number; call: ReadyStep }[] = [];
    for (const index of indexes) {
      const call = this.#resolve(index);
      if (call !== undefined) ready.push({ index, call });
    }
    const results = await this.#hooks.run(ready.map(({ call }) => call));
    results.forEach((result, position) => {
      const { index, call } = ready[position]!;
      if (this.#isDry && result.ok) this.#settleDry(index, call, result);
      else this.#settle(index, result);
    });
  }

  /** The steps after it see that there will be something, and no more. */
  #settleDry(index: number, { step }: ReadyStep, result: ResultEnvelope): void {
    const warnings = [...(result.meta.warnings ?? []), `sent only if ${step.when} holds`];
    const shown =
      step.when === undefined ? result : { ...result, meta: { ...result.meta, warnings } };
    this.#settle(index, shown, new Pending(step.id));
  }

  /** A failed step that an input takes something from. A condition may look at it all the same. */
  #brokenNeed(input: PreparedInput): string | undefined {
    const broken = new Set(
      this.#steps.flatMap(({ step }, index) =>
        this.#results[index]?.ok === false ? [step.id] : [],
      ),
    );
    return input.references
      .flatMap(({ expression }) => stepsNeeded(expression, [...broken]))
      .find((id) => broken.has(id));
  }

  #refersToSteps({ references }: PreparedInput): boolean {
    const ids = this.#steps.map(({ step }) => step.id);
    return references.some(({ expression }) =>
      stepsNeeded(expression, ids).some((id) => ids.includes(id)),
    );
  }

  /** The step with its input filled in, or undefined when that settles it. */
  #resolve(index: number): ReadyStep | undefined {
    const { step, facts, input, when } = this.#steps[index]!;
    try {
      if (when !== undefined && !isTrue(when, this.#scope)) {
        this.#settle(index, leftOut(step));
        return undefined;
      }
      const broken = this.#brokenNeed(input!);
      if (broken !== undefined) {
        this.#settle(index, cancelled(step, `Step ${broken} failed`, this.#hooks.requestId));
        return undefined;
      }
      const isPending = this.#isDry && this.#refersToSteps(input!);
      return { step, facts: facts!, input: input!.resolve(this.#scope), isPending };
    } catch (thrown) {
      this.#settle(index, failed(step, errorFromUnknown(thrown), this.#hooks.requestId));
      return undefined;
    }
  }
}

/** A reference to a step that is not there is a mistake to know of before anything is sent. */
function assertSteps(needs: readonly string[], all: readonly NamedStep[]): void {
  const ids = all.map(({ id }) => id);
  const missing = needs.find((id) => !ids.includes(id));
  if (missing === undefined) return;
  const near = nearestNames(missing, ids, 1);
  throw fail("VALIDATION", `There is no step called ${missing}`, {
    outcome: "not_applied",
    ...(near.length > 0 && { did_you_mean: near }),
  });
}

function leftOut(step: NamedStep): ResultEnvelope {
  return successResult(null, {
    capability_id: step.task,
    warnings: [`left out: its condition (${step.when}) does not hold`],
  });
}

function toOrdered({ step, facts, needs }: PreparedStep): Parameters<typeof orderSteps>[0][number] {
  const { id } = step;
  return { isWrite: false, source: `missing:${id}`, ...facts, id, needs };
}

function summary(
  results: readonly ResultEnvelope[],
  requestId: string,
  upstreamRequests: number,
): ChainResult {
  const succeeded = results.filter(({ ok }) => ok).length;
  const failedCount = results.length - succeeded;
  return {
    status: failedCount === 0 ? "success" : succeeded === 0 ? "failed" : "partial",
    results,
    error: null,
    meta: {
      request_id: requestId,
      total: results.length,
      succeeded,
      failed: failedCount,
      upstream_requests: upstreamRequests,
    },
  };
}

function refused(thrown: unknown, total: number, requestId: string): ChainResult {
  const error = errorFromUnknown(thrown);
  return {
    status: "failed",
    results: [],
    error: toResultError(error, { requestId, isWrite: false, isRepeatable: true }),
    meta: { request_id: requestId, total, succeeded: 0, failed: 0, upstream_requests: 0 },
  };
}

/**
 * Many calls walking the same way as one. Everything that can be known to be wrong is known before
 * the first is sent; each step fails alone, with what depends on it. Never throws.
 */
export async function runChain(
  steps: readonly ChainStep[],
  hooks: ChainHooks,
  options: ChainRunOptions & { readonly upstreamRequests?: () => number } = {},
): Promise<ChainResult> {
  try {
    await hooks.begin?.();
    const named = nameSteps(steps, Object.keys(options.given ?? {}));
    const run = new ChainRun(hooks, options);
    const results = await run.run(named);
    return summary(results, hooks.requestId, options.upstreamRequests?.() ?? 0);
  } catch (thrown) {
    return refused(thrown, Array.isArray(steps) ? steps.length : 0, hooks.requestId);
  }
}
