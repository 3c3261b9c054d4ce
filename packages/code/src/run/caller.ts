import type { ChainStep, ExecuteOptions, ResultEnvelope, Waybill } from "@waybill/core";

/** One call for the Waybill. */
export interface PlainCall {
  readonly id: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly key?: string | undefined;
  readonly approve?: string | undefined;
  readonly page?: ExecuteOptions["page"];
}

interface CallerOptions {
  readonly signal: AbortSignal;
  /** When the run must have ended. */
  readonly deadline: number;
}

/** A chain has so many steps at most. */
const MAX_STEPS = 100;

function chunks<T>(list: readonly T[]): T[][] {
  const count = Math.ceil(list.length / MAX_STEPS);
  return Array.from({ length: count }, (_, index) =>
    list.slice(index * MAX_STEPS, (index + 1) * MAX_STEPS),
  );
}

/** Makes the calls of a run: one call as `execute` does, many as a chain. */
export class Caller {
  readonly #waybill: Waybill;
  readonly #options: CallerOptions;

  constructor(waybill: Waybill, options: CallerOptions) {
    this.#waybill = waybill;
    this.#options = options;
  }

  /** Reads are merged where a route can; writes keep their order. Answers in the order of the calls. */
  async make(calls: readonly PlainCall[], isDry = false): Promise<readonly ResultEnvelope[]> {
    // A page is an option of a single call.
    if (calls.length === 1 || calls.some(({ page }) => page !== undefined)) {
      return Promise.all(calls.map((call) => this.#one(call, isDry)));
    }
    const results: ResultEnvelope[] = [];
    for (const some of chunks(calls)) results.push(...(await this.#chain(some, isDry)));
    return results;
  }

  #limits(): { signal: AbortSignal; deadline_ms: number } {
    const { signal, deadline } = this.#options;
    return { signal, deadline_ms: Math.max(1, deadline - Date.now()) };
  }

  #one({ id, input, key, approve, page }: PlainCall, isDry: boolean): Promise<ResultEnvelope> {
    return this.#waybill.execute(id, input, {
      ...this.#limits(),
      ...(key !== undefined && { idempotency_key: key }),
      ...(approve !== undefined && { approve }),
      ...(page !== undefined && { page }),
      ...(isDry && { dry_run: true }),
    });
  }

  async #chain(calls: readonly PlainCall[], isDry: boolean): Promise<readonly ResultEnvelope[]> {
    const steps = calls.map(({ id, input, key, approve }): ChainStep => ({
      task: id,
      // An input is data, also if it looks like a reference to another step.
      input: { $literal: input },
      ...(key !== undefined && { idempotency_key: key }),
      ...(approve !== undefined && { approve }),
    }));
    const options = { on_error: "continue", merge_writes: true, ...this.#limits() } as const;
    const chain = await this.#waybill.chain(steps, isDry ? { ...options, dry_run: true } : options);
    if (chain.error === null) return chain.results;
    const { error } = chain;
    const failed = (id: string): ResultEnvelope => ({
      ok: false,
      data: null,
      error,
      meta: { capability_id: id },
    });
    return calls.map(({ id }) => failed(id));
  }
}
