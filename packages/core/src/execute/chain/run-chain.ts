import { Pending, isTrue, nameSteps, orderSteps, stepsNeeded } from "../../cards/index.ts";
import type { ChainStep, NamedStep, Order, PreparedInput } from "../../cards/index.ts";
import { errorFromUnknown, withWarnings } from "../../envelope/index.ts";
import type { CallError, ResultEnvelope } from "../../envelope/index.ts";
import type { ChainTasks, ReadyStep } from "./chain-calls.ts";
import type { ChainRequest } from "./chain-request.ts";
import { chainSummary, refusedChain } from "./chain-result.ts";
import type { ChainResult } from "./chain-result.ts";
import { stepOrder, prepareStep } from "./prepare-step.ts";
import type { PreparedStep } from "./prepare-step.ts";
import { cancelledError, failedStep, leftOutStep } from "./step-result.ts";

export interface ChainRunOptions {
  readonly onError?: ChainRequest["onError"];
  /** Values besides the steps that expressions can use. No step may have one of these names. */
  readonly given?: Readonly<Record<string, unknown>>;
  /** Whether this is a dry run. Then the answers of earlier steps are not known. */
  readonly isDry?: boolean;
}

/** The state of one running chain. */
class ChainRun {
  readonly #tasks: ChainTasks;
  readonly #onError: ChainRunOptions["onError"];
  readonly #isDry: boolean;
  readonly #given: Readonly<Record<string, unknown>>;
  readonly #scope: Record<string, unknown>;
  readonly #results: (ResultEnvelope | undefined)[] = [];
  /** Errors of the steps that were not called. */
  readonly #uncalled = new Map<number, CallError>();
  #steps: PreparedStep[] = [];
  #isStopped = false;
  /** The step whose error stopped the whole chain before anything was sent. */
  #invalid: string | undefined;

  constructor(tasks: ChainTasks, options: ChainRunOptions) {
    this.#tasks = tasks;
    this.#onError = options.onError;
    this.#isDry = options.isDry === true;
    this.#given = options.given ?? {};
    const nothing = Object.create(null) as Record<string, unknown>;
    this.#scope = Object.assign(nothing, options.given);
  }

  async run(named: readonly NamedStep[]): Promise<readonly ResultEnvelope[]> {
    this.#steps = await Promise.all(
      named.map((step) => prepareStep(step, named, this.#tasks, this.#given)),
    );
    const order = orderSteps(this.#steps.map(stepOrder), this.#onError === "stop");
    this.#settleProblems();
    for (;;) {
      const ready = this.#readyOnes(order);
      if (ready.length === 0) break;
      await this.#runWave(ready);
    }
    this.#steps.forEach((_, index) => {
      if (this.#results[index] === undefined) this.#leaveOut(index, this.#stopped());
    });
    return Promise.all(this.#results.map((result, index) => this.#told(index, result!)));
  }

  /** Ends a step that is not called. */
  #leaveOut(index: number, error: CallError): void {
    this.#uncalled.set(index, error);
    this.#settle(index, failedStep(this.#steps[index]!.step, error, this.#tasks.requestId));
  }

  /**
   * A step that was not called may still have been applied by an earlier chain with the same
   * key.
   */
  async #told(index: number, result: ResultEnvelope): Promise<ResultEnvelope> {
    const { step } = this.#steps[index]!;
    const error = this.#uncalled.get(index);
    if (error === undefined) return result;
    const told = await this.#tasks.withEarlier(step, error);
    return told === error ? result : failedStep(step, told, this.#tasks.requestId);
  }

  /** A step that cannot be called fails alone, or stops the whole chain before anything is sent. */
  #settleProblems(): void {
    this.#steps.forEach(({ step, problem }, index) => {
      if (problem === undefined) return;
      this.#leaveOut(index, problem);
      if (this.#isWhole) this.#invalid ??= step.id;
    });
    if (this.#invalid !== undefined) this.#isStopped = true;
  }

  /**
   * Whether one invalid step stops the chain. By default, a chain with writes is sent as a whole
   * or not at all.
   */
  get #isWhole(): boolean {
    if (this.#onError !== undefined || this.#isDry) return false;
    return this.#steps.some(({ facts }) => facts?.isWrite === true);
  }

  #settle(index: number, result: ResultEnvelope, seen: unknown = result): void {
    this.#results[index] = result;
    this.#scope[this.#steps[index]!.step.id] = seen;
    if (!result.ok && this.#onError === "stop") this.#isStopped = true;
  }

  #stopped(): CallError {
    const why =
      this.#invalid === undefined
        ? "An earlier step failed and the chain stops on errors"
        : `Step ${this.#invalid} cannot be called, so nothing was sent. With on_error "continue" the other steps would be sent`;
    return cancelledError(why);
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
    const results = await this.#tasks.run(ready.map(({ call }) => call));
    results.forEach((result, position) => {
      const { index, call } = ready[position]!;
      if (this.#isDry && result.ok) this.#settleDry(index, call, result);
      else this.#settle(index, result);
    });
  }

  /** In a dry run, later steps get a placeholder for the value. */
  #settleDry(index: number, { step }: ReadyStep, result: ResultEnvelope): void {
    const condition = step.when === undefined ? [] : [`sent only if ${step.when} is true`];
    const shown = withWarnings(result, condition);
    this.#settle(index, shown, new Pending(step.id));
  }

  /** The failed step that an input refers to. A condition may still refer to it. */
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

  /** The step with its input filled in. Undefined if the step was skipped or failed here. */
  #resolve(index: number): ReadyStep | undefined {
    const { step, facts, input, when } = this.#steps[index]!;
    try {
      if (when !== undefined && !isTrue(when, this.#scope)) {
        this.#settle(index, leftOutStep(step));
        return undefined;
      }
      const broken = this.#brokenNeed(input!);
      if (broken !== undefined) {
        this.#leaveOut(index, cancelledError(`Step ${broken} failed`));
        return undefined;
      }
      const isPending = this.#isDry && this.#refersToSteps(input!);
      // Copies the values, so that the input does not change when the step's own result is added.
      const seen = Object.assign(Object.create(null) as object, this.#scope);
      return { step, facts: facts!, input: input!.resolve(seen), isPending };
    } catch (thrown) {
      this.#leaveOut(index, errorFromUnknown(thrown));
      return undefined;
    }
  }
}

/**
 * Runs many calls, each like a single call. All errors that can be known in advance are found
 * before the first call is sent. If a step fails, only the steps that depend on it fail too.
 * Never throws.
 */
export async function runChain(
  steps: readonly ChainStep[],
  tasks: ChainTasks,
  options: ChainRunOptions & { readonly upstreamRequests?: () => number } = {},
): Promise<ChainResult> {
  try {
    await tasks.begin();
    const named = nameSteps(steps, Object.keys(options.given ?? {}));
    const run = new ChainRun(tasks, options);
    const results = await run.run(named);
    return chainSummary(results, tasks.requestId, options.upstreamRequests?.() ?? 0);
  } catch (thrown) {
    return refusedChain(thrown, Array.isArray(steps) ? steps.length : 0, tasks.requestId);
  }
}
