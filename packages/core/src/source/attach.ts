import type { JsonSchema } from "../envelope/index.ts";
import { errorFromUnknown, isRecord } from "../envelope/index.ts";
import type {
  OperationExample,
  OperationSpec,
  OperationSummary,
  Origin,
} from "../operation/index.ts";
import type { Catalogue, WordIndex } from "../registry/index.ts";
import { NO_RULES, findHolder, sourcesBefore } from "./assign-id.ts";
import type { Collision, IdRules } from "./assign-id.ts";
import { outsideSchema, outsideText } from "./outside-text.ts";
import type { Source, SourceProblem } from "./source.ts";

/** A source after its operations were registered. */
export interface AttachedSource {
  /** The ids that are registered now. They change with the source. */
  readonly ids: readonly string[];
  /** How many ids are registered now. */
  readonly size: number;
  /** Whether an id is registered now. */
  has(id: string): boolean;
  /** Operations that could not be registered. */
  readonly problems: readonly SourceProblem[];
  /** Operations that got a longer id, because another source already has the id. */
  readonly collisions: readonly Collision[];
  /** Loads everything that calls of the operations need, if the list did not include it. */
  load(): Promise<void>;
  /** Stops following the source. Its operations stay in the registry. */
  release(): void;
  /** Stops following the source, and removes its operations from the registry. */
  forget(): void;
  /** Removes the operations and closes the source. */
  detach(): Promise<void>;
}

const MAX_NOTE = 1_000;

/**
 * Behaves like a complete spec, but asks the source only when a schema is needed. Text from a
 * source is not trusted, so hidden characters are removed here. The type `Record` makes a
 * forgotten member a compiler error.
 */
class LazySpec implements OperationSpec, Record<keyof OperationSpec, unknown> {
  readonly id: string;
  readonly effect: OperationSummary["effect"];
  readonly idempotent: boolean;
  readonly kind: OperationSummary["kind"];
  readonly exposed: boolean;
  readonly source: string;
  readonly origin: Origin | undefined;
  readonly declaredId: string | undefined;
  readonly raw: boolean;
  readonly assumed: boolean;
  readonly safe: boolean;
  readonly needsTrust: string | undefined;
  readonly alsoCalled: readonly string[] | undefined;
  readonly #summary: OperationSummary;
  readonly #source: Source;
  #described: OperationSpec | undefined;

  constructor(id: string, summary: OperationSummary, source: Source) {
    this.id = id;
    this.declaredId = id === summary.id ? undefined : summary.id;
    this.effect = summary.effect;
    this.idempotent = summary.idempotent;
    this.kind = summary.kind;
    this.exposed = summary.exposed ?? true;
    this.source = source.name;
    this.origin = source.origin;
    this.raw = source.raw === true || summary.raw === true;
    this.assumed = summary.assumed ?? false;
    this.safe = summary.safe ?? false;
    this.needsTrust = summary.needsTrust;
    this.alsoCalled = summary.alsoCalled;
    this.#summary = summary;
    this.#source = source;
  }

  get #spec(): OperationSpec {
    return (this.#described ??= this.#source.describe(this.#summary.id));
  }

  /** Read late, because only searches and explanations need the description of an operation. */
  get description(): string {
    return outsideText(this.#summary.description);
  }

  get parameters(): readonly string[] {
    return this.#summary.parameters ?? [];
  }

  get signature(): string | undefined {
    const { signature } = this.#summary;
    return signature === undefined ? undefined : outsideText(signature);
  }

  get inputSchema(): JsonSchema {
    return outsideSchema(this.#spec.inputSchema);
  }

  get outputSchema(): JsonSchema {
    return outsideSchema(this.#spec.outputSchema);
  }

  get access(): NonNullable<OperationSpec["access"]> {
    return this.#spec.access ?? {};
  }

  get aliases(): NonNullable<OperationSpec["aliases"]> {
    return this.#spec.aliases ?? {};
  }

  get idInputs(): OperationSpec["idInputs"] {
    return this.#spec.idInputs;
  }

  get otherFields(): OperationSpec["otherFields"] {
    return this.#spec.otherFields;
  }

  get rareFields(): OperationSpec["rareFields"] {
    return this.#spec.rareFields;
  }

  get normaliseInput(): OperationSpec["normaliseInput"] {
    return this.#spec.normaliseInput;
  }

  get completeInput(): OperationSpec["completeInput"] {
    return this.#spec.completeInput;
  }

  get normaliseOutput(): OperationSpec["normaliseOutput"] {
    return this.#spec.normaliseOutput;
  }

  get inputsInText(): OperationSpec["inputsInText"] {
    return this.#spec.inputsInText;
  }

  get pages(): boolean | undefined {
    return this.#spec.pages;
  }

  get takesDigits(): boolean | undefined {
    return this.#spec.takesDigits;
  }

  get looseInput(): boolean | undefined {
    return this.#spec.looseInput;
  }

  get checkedElsewhere(): boolean | undefined {
    return this.#spec.checkedElsewhere;
  }

  get strip(): boolean {
    return this.#spec.strip ?? false;
  }

  get parseInput(): OperationSpec["parseInput"] {
    return this.#spec.parseInput;
  }

  get notes(): readonly string[] {
    return (this.#spec.notes ?? []).map((note) => outsideText(note, MAX_NOTE));
  }

  get examples(): OperationSpec["examples"] {
    return this.#spec.examples?.slice(0, MAX_EXAMPLES).map(outsideExample);
  }
}

const MAX_EXAMPLES = 5;

function outsideExample({ title, input }: OperationExample): OperationExample {
  const cleaned: unknown = JSON.parse(JSON.stringify(input), (_key, value: unknown) =>
    typeof value === "string" ? outsideText(value, MAX_NOTE) : value,
  );
  return { title: outsideText(title, MAX_NOTE), input: cleaned as object };
}

/** Checks every entry, because a list comes from outside and may contain anything. */
function summaryId(summary: unknown): string {
  return isRecord(summary) ? String(summary["id"]) : "";
}

/** Registers an operation under its final id. */
function register(
  registry: Catalogue,
  source: Source,
  summary: OperationSummary,
  id: string,
  isIndexed: boolean,
): SourceProblem | undefined {
  try {
    const spec = new LazySpec(id, summary, source);
    registry.registerLazily(spec, () => source.runOf(summary.id), isIndexed);
    return undefined;
  } catch (error) {
    const { message } = errorFromUnknown(error);
    return { source: source.name, operationId: summaryId(summary), message };
  }
}

const NO_OPERATION = "The source lists an entry that is not an operation; the entry is left out";

/** The registered operations of a source. */
class Attached implements AttachedSource {
  readonly #registry: Catalogue;
  readonly #source: Source;
  readonly #rules: IdRules;
  #ids = new Set<string>();
  #collisions: Collision[] = [];
  #problems: readonly SourceProblem[] = [];
  #unwatch: (() => void) | undefined;
  #unguide: (() => void) | undefined;
  #isForgotten = false;
  #asked = 0;
  /** The number of the list whose operations are registered now. */
  #taken = 0;

  constructor(registry: Catalogue, source: Source, rules: IdRules) {
    this.#registry = registry;
    this.#source = source;
    this.#rules = rules;
  }

  get ids(): readonly string[] {
    return [...this.#ids];
  }

  get size(): number {
    return this.#ids.size;
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  get problems(): readonly SourceProblem[] {
    return this.#problems;
  }

  get collisions(): readonly Collision[] {
    return this.#collisions;
  }

  /**
   * Replaces the operations without awaiting anything in between. A list that arrives after a
   * newer list is ignored.
   */
  async refresh(listed = this.#source.list()): Promise<void> {
    const turn = ++this.#asked;
    const summaries = [...(await listed)];
    const problems: SourceProblem[] = [...(this.#source.problems?.() ?? [])];
    if (this.#isForgotten || turn < this.#taken) return;
    this.#taken = turn;
    this.#takeOut();
    this.#unguide?.();
    const index = this.#preparedIndex(summaries.length);
    const earlier = sourcesBefore(this.#source, this.#rules);
    for (const summary of summaries) {
      const problem = this.#take(summary, earlier, index !== undefined);
      if (problem !== undefined) problems.push(problem);
    }
    if (index !== undefined) this.#addIndex(index);
    this.#unguide = this.#guide();
    this.#problems = problems;
  }

  async load(): Promise<void> {
    if (await this.#source.load?.()) await this.refresh();
  }

  #preparedIndex(listed: number): WordIndex | undefined {
    const index = this.#source.wordIndex?.();
    return index?.size === listed ? index : undefined;
  }

  /** A prepared index is used only if all of its ids were registered unchanged. */
  #addIndex(index: WordIndex): void {
    const isWhole = this.#ids.size === index.size && this.#collisions.length === 0;
    if (isWhole) this.#registry.adoptIndex(index, this.ids);
    else this.#registry.indexAll(this.ids);
  }

  /** Caches the last unknown id, because one call asks for it several times. */
  #guide(): (() => void) | undefined {
    const source = this.#source;
    if (source.meantIds === undefined) return undefined;
    let last: { readonly id: string; readonly meant: readonly string[] } | undefined;
    return this.#registry.addGuide((id) => {
      if (last?.id !== id) last = { id, meant: source.meantIds!(id, this.ids) };
      return last.meant;
    });
  }

  /** If another source has the id, the operation gets the source's name as a prefix. */
  #take(
    summary: OperationSummary,
    earlier: ReturnType<typeof sourcesBefore>,
    isIndexed: boolean,
  ): SourceProblem | undefined {
    const source = this.#source.name;
    if (!isRecord(summary)) return { source, operationId: "", message: NO_OPERATION };
    const { id } = summary;
    const holder = findHolder(id, this.#source, this.#registry, this.#rules, earlier);
    const as = holder === undefined ? id : `${source}.${id}`;
    const problem = register(this.#registry, this.#source, summary, as, isIndexed);
    if (problem !== undefined) return problem;
    this.#ids.add(as);
    if (holder !== undefined) this.#collisions.push({ source, id, as, holder });
    return undefined;
  }

  /** If a new list fails, the operations of the last list stay. */
  watch(): void {
    this.#unwatch = this.#source.onChange?.(() => {
      this.refresh().catch(() => {});
    });
  }

  release(): void {
    this.#isForgotten = true;
    this.#unwatch?.();
    this.#unguide?.();
  }

  forget(): void {
    this.release();
    this.#takeOut();
  }

  async detach(): Promise<void> {
    this.forget();
    await this.#source.close();
  }

  #takeOut(): void {
    for (const id of this.#ids) this.#registry.unregister(id);
    this.#ids = new Set();
    this.#collisions = [];
  }
}

/**
 * Registers the operations of a source, and updates them when they change. An invalid operation
 * does not affect the others.
 */
export async function attachSource(
  registry: Catalogue,
  source: Source,
  listed?: ReturnType<Source["list"]>,
  rules: IdRules = NO_RULES,
): Promise<AttachedSource> {
  const attached = new Attached(registry, source, rules);
  await attached.refresh(listed);
  attached.watch();
  return attached;
}
