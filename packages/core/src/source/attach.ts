import type { JsonSchema } from "../envelope/index.ts";
import { errorFromUnknown, isRecord } from "../envelope/index.ts";
import type { OperationContext, OperationSpec, OperationSummary } from "../operation/index.ts";
import type { OperationRegistry } from "../registry/index.ts";
import type { Source, SourceProblem } from "./source.ts";

export interface AttachedSource {
  /** What is registered now; changes when the source does. */
  readonly ids: readonly string[];
  readonly problems: readonly SourceProblem[];
  /** Takes the operations out of the registry again. */
  forget(): void;
  /** The same, and closes the source. */
  detach(): Promise<void>;
}

/** Looks like the whole spec but asks the source for it only when a schema is needed. */
class LazySpec implements OperationSpec {
  readonly id: string;
  readonly effect: OperationSummary["effect"];
  readonly idempotent: boolean;
  readonly kind: OperationSummary["kind"];
  readonly exposed: boolean;
  readonly source: string;
  readonly #summary: OperationSummary;
  readonly #source: Source;
  #described: OperationSpec | undefined;

  constructor(summary: OperationSummary, source: Source) {
    this.id = summary.id;
    this.effect = summary.effect;
    this.idempotent = summary.idempotent;
    this.kind = summary.kind;
    this.exposed = summary.exposed ?? true;
    this.source = source.name;
    this.#summary = summary;
    this.#source = source;
  }

  get #spec(): OperationSpec {
    return (this.#described ??= this.#source.describe(this.id));
  }

  /** Only searches and explanations need these, and a large source reads them when asked. */
  get description(): string {
    return this.#summary.description;
  }

  get parameters(): readonly string[] {
    return this.#summary.parameters ?? [];
  }

  get inputSchema(): JsonSchema {
    return this.#spec.inputSchema;
  }

  get outputSchema(): JsonSchema {
    return this.#spec.outputSchema;
  }

  get access(): NonNullable<OperationSpec["access"]> {
    return this.#spec.access ?? {};
  }

  get aliases(): NonNullable<OperationSpec["aliases"]> {
    return this.#spec.aliases ?? {};
  }

  get normaliseInput(): OperationSpec["normaliseInput"] {
    return this.#spec.normaliseInput;
  }

  get pages(): boolean | undefined {
    return this.#spec.pages;
  }

  get takesDigits(): boolean | undefined {
    return this.#spec.takesDigits;
  }

  get strip(): boolean {
    return this.#spec.strip ?? false;
  }

  get parseInput(): OperationSpec["parseInput"] {
    return this.#spec.parseInput;
  }

  get notes(): readonly string[] {
    return this.#spec.notes ?? [];
  }
}

/** A list comes from outside, and what stands in it may be anything. */
function idOf(summary: unknown): string {
  return isRecord(summary) ? String(summary["id"]) : "";
}

function attachOne(
  registry: OperationRegistry,
  source: Source,
  summary: OperationSummary,
): SourceProblem | undefined {
  try {
    if (!isRecord(summary)) throw new TypeError("The list holds something that is no operation");
    registry.register({
      spec: new LazySpec(summary, source),
      get handler() {
        return (
          source.handlerOf?.(summary.id) ??
          ((input: unknown, context: OperationContext) => source.call(summary.id, input, context))
        );
      },
    });
    return undefined;
  } catch (error) {
    const { message } = errorFromUnknown(error);
    return { source: source.name, operationId: idOf(summary), message };
  }
}

/** What of a source stands in a registry now. */
class Attached implements AttachedSource {
  readonly #registry: OperationRegistry;
  readonly #source: Source;
  #ids: string[] = [];
  #problems: readonly SourceProblem[] = [];
  #unwatch: (() => void) | undefined;
  #isForgotten = false;
  #asked = 0;
  /** Which of the lists that were asked for stands here. */
  #taken = 0;

  constructor(registry: OperationRegistry, source: Source) {
    this.#registry = registry;
    this.#source = source;
  }

  get ids(): readonly string[] {
    return this.#ids;
  }

  get problems(): readonly SourceProblem[] {
    return this.#problems;
  }

  /**
   * Nothing is awaited between taking the old operations out and putting the new ones in. A list
   * that comes after a later one is not taken.
   */
  async refresh(listed = this.#source.list()): Promise<void> {
    const turn = ++this.#asked;
    const summaries = [...(await listed)];
    const problems: SourceProblem[] = [...(this.#source.problems?.() ?? [])];
    if (this.#isForgotten || turn < this.#taken) return;
    this.#taken = turn;
    this.#takeOut();
    for (const summary of summaries) {
      const problem = attachOne(this.#registry, this.#source, summary);
      if (problem === undefined) this.#ids.push(summary.id);
      else problems.push(problem);
    }
    this.#problems = problems;
  }

  /** A list that cannot be had leaves the operations of the last one. */
  watch(): void {
    this.#unwatch = this.#source.onChange?.(() => {
      this.refresh().catch(() => {});
    });
  }

  forget(): void {
    this.#isForgotten = true;
    this.#unwatch?.();
    this.#takeOut();
  }

  async detach(): Promise<void> {
    this.forget();
    await this.#source.close();
  }

  #takeOut(): void {
    for (const id of this.#ids) this.#registry.unregister(id);
    this.#ids = [];
  }
}

/**
 * Puts a source's operations into a registry, and follows when they change. One bad operation does
 * not keep out the others.
 */
export async function attachSource(
  registry: OperationRegistry,
  source: Source,
  listed?: ReturnType<Source["list"]>,
): Promise<AttachedSource> {
  const attached = new Attached(registry, source);
  await attached.refresh(listed);
  attached.watch();
  return attached;
}
