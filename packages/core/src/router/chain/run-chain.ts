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
import { isTrue, plainPath, readExpression, stepsNeeded } from "./expressions.ts";
import type { StepExpression } from "./expressions.ts";
import { orderSteps } from "./order.ts";
import type { Order } from "./order.ts";
import { prepareInput } from "./references.ts";
import type { PreparedInput } from "./references.ts";
import { nameSteps } from "./step.ts";
import type { ChainResult, ChainStep, NamedStep } from "./step.ts";

/** What a chain needs to know of a task before anything is sent. */
interface TaskFacts {
  readonly isWrite: boolean;
  readonly source: string;
}

/** A step whose input is complete, ready to be called like any single call. */
export interface ReadyStep {
  readonly step: NamedStep;
  readonly input: unknown;
}

export interface ChainHooks {
  /** Throws for a task that does not exist. */
  facts(task: string): TaskFacts;
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
  /** Neighbouring writes are handed over together. */
  readonly areWritesMerged?: boolean;
  /** Throws when the chain as a whole must not be run. */
  readonly assertOptions?: () => void;
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
  readonly #areWritesMerged: boolean;
  readonly #scope: Record<string, ResultEnvelope> = Object.create(null) as Record<
    string,
    ResultEnvelope
  >;
  readonly #results: (ResultEnvelope | undefined)[] = [];
  #steps: PreparedStep[] = [];
  #isStopped = false;

  constructor(hooks: ChainHooks, options: ChainRunOptions) {
    this.#hooks = hooks;
    this.#stopsOnError = options.on_error === "stop";
    this.#areWritesMerged = options.areWritesMerged === true;
  }

  async run(named: readonly NamedStep[]): Promise<readonly ResultEnvelope[]> {
    this.#steps = await Promise.all(named.map((step) => this.#prepare(step, named)));
    const order = orderSteps(this.#steps.map(toOrdered), this.#areWritesMerged);
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
      facts = this.#hooks.facts(step.task);
      input = await prepareInput(step.input);
      const when = step.when === undefined ? undefined : await readExpression(step.when);
      const expressions = [
        ...input.references.map(({ expression }) => expression),
        ...(when ? [when] : []),
      ];
      const needs = expressions.flatMap((one) => stepsNeeded(one, [...tasks.keys()]));
      assertSteps(needs, all);
      for (const one of expressions) this.#hooks.checkReference(plainPath(one), tasks);
      await this.#hooks.check(step, input);
      return { step, facts, input, when, needs, problem: undefined };
    } catch (thrown) {
      const problem = errorFromUnknown(thrown);
      return { step, facts, input, when: undefined, needs: [], problem };
    }
  }

  /** A step that cannot be called fails alone; when the chain stops on errors, nothing is sent. */
  #settleProblems(): void {
    this.#steps.forEach(({ step, problem }, index) => {
      if (problem === undefined) return;
      this.#settle(index, failed(step, problem, this.#hooks.requestId));
    });
  }

  #settle(index: number, result: ResultEnvelope): void {
    this.#results[index] = result;
    this.#scope[this.#steps[index]!.step.id] = result;
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
    results.forEach((result, position) => this.#settle(ready[position]!.index, result));
  }

  /** A failed step that an input takes something from. A condition may look at it all the same. */
  #brokenNeed(input: PreparedInput): string | undefined {
    const ids = Object.keys(this.#scope);
    return input.references
      .flatMap(({ expression }) => stepsNeeded(expression, ids))
      .find((id) => this.#scope[id]?.ok === false);
  }

  /** The step with its input filled in, or undefined when that settles it. */
  #resolve(index: number): ReadyStep | undefined {
    const { step, input, when } = this.#steps[index]!;
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
      return { step, input: input!.resolve(this.#scope) };
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
  return {
    id: step.id,
    isWrite: facts?.isWrite ?? false,
    source: facts?.source ?? `missing:${step.id}`,
    needs,
  };
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
    options.assertOptions?.();
    const named = nameSteps(steps);
    const run = new ChainRun(hooks, options);
    const results = await run.run(named);
    return summary(results, hooks.requestId, options.upstreamRequests?.() ?? 0);
  } catch (thrown) {
    return refused(thrown, Array.isArray(steps) ? steps.length : 0, hooks.requestId);
  }
}
