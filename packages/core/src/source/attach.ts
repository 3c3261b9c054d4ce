import type { JsonSchema } from "../envelope/index.ts";
import { errorFromUnknown } from "../envelope/index.ts";
import type { OperationSpec, OperationSummary } from "../operation/index.ts";
import type { OperationRegistry } from "../registry/index.ts";
import type { Source } from "./source.ts";

/** An operation that could not be taken in; the rest of its source was. */
export interface SourceProblem {
  readonly source: string;
  readonly operationId: string;
  readonly message: string;
}

export interface AttachedSource {
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
  readonly #summary: OperationSummary;
  readonly #source: Source;
  #described: OperationSpec | undefined;

  constructor(summary: OperationSummary, source: Source) {
    this.id = summary.id;
    this.effect = summary.effect;
    this.idempotent = summary.idempotent;
    this.kind = summary.kind;
    this.exposed = summary.exposed ?? true;
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

  get pages(): boolean | undefined {
    return this.#spec.pages;
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

function attachOne(
  registry: OperationRegistry,
  source: Source,
  summary: OperationSummary,
): SourceProblem | undefined {
  try {
    registry.register({
      spec: new LazySpec(summary, source),
      handler:
        source.handlerOf?.(summary.id) ??
        ((input, context) => source.call(summary.id, input, context)),
    });
    return undefined;
  } catch (error) {
    const { message } = errorFromUnknown(error);
    return { source: source.name, operationId: String(summary.id), message };
  }
}

/** Puts a source's operations into a registry. One bad operation does not keep out the others. */
export async function attachSource(
  registry: OperationRegistry,
  source: Source,
): Promise<AttachedSource> {
  const ids: string[] = [];
  const problems: SourceProblem[] = [];
  for (const summary of await source.list()) {
    const problem = attachOne(registry, source, summary);
    if (problem === undefined) ids.push(summary.id);
    else problems.push(problem);
  }
  const forget = (): void => {
    for (const id of ids) registry.unregister(id);
  };
  return {
    ids,
    problems,
    forget,
    async detach() {
      forget();
      await source.close();
    },
  };
}
