import type { JsonSchema } from "../envelope/index.ts";
import { fail, isCallError, isRecord, thrownMessage } from "../envelope/index.ts";
import type { OperationHandler, OperationRun, OperationSpec } from "../operation/index.ts";
import type { CompiledSchema, ObjectNames, SchemaCache, SchemaSlot } from "../schema/index.ts";

/** A schema that accepts anything needs no check. */
function isOpen(schema: JsonSchema): boolean {
  return schema === true || (isRecord(schema) && Object.keys(schema).length === 0);
}

/** The compiled schemas of an operation. Undefined if anything is accepted. */
export interface Schemas {
  readonly input: CompiledSchema | undefined;
  readonly output: CompiledSchema | undefined;
  /** Why the output could not be checked. The operation still runs. */
  readonly outputProblem?: string;
  /** Whether a schema has patterns that are not run. */
  readonly hasSkipped?: boolean;
}

function both(input: CompiledSchema | undefined, output: CompiledSchema | undefined): Schemas {
  const isWhole = !input?.skipped.length && !output?.skipped.length;
  return isWhole ? { input, output } : { input, output, hasSkipped: true };
}

const OPEN: SchemaSlot = { schema: true, takesDigits: false, compiled: undefined, used: true };

/** The names that params may use. */
export interface InputNames {
  /** Every name that an input may use. Undefined if the schema accepts any name. */
  readonly known: ReadonlySet<string> | undefined;
  /** The known names in the order of the schema. */
  readonly listed: readonly string[];
  /** Alternative names, each with the name in the schema. */
  readonly aliases: ReadonlyMap<string, string>;
  /** The names that objects inside the input may use. Undefined if there are no such objects. */
  readonly inner: ObjectNames | undefined;
}

/** A registered operation with data that is computed once. */
export class Entry {
  readonly id: string;
  readonly spec: OperationSpec;
  /**
   * The handler of the operation, if it can run without any waiting; otherwise null. Set on the
   * first call.
   */
  plainHandler: OperationHandler | null | undefined;
  /** The names of its inputs, computed on the first call. */
  names: InputNames | undefined;
  readonly #cache: SchemaCache;
  #run: OperationRun | undefined;
  #makeRun: (() => OperationRun) | undefined;
  #input: SchemaSlot | undefined;
  /** Both schemas, as they were last compiled. */
  #schemas: Schemas | undefined;
  #output: SchemaSlot | undefined;

  constructor(spec: OperationSpec, cache: SchemaCache) {
    this.id = spec.id;
    this.spec = spec;
    this.#cache = cache;
  }

  /** Creates the operation when it is called, because a source may have many. */
  get run(): OperationRun | undefined {
    return this.#run ?? (this.#run = this.#makeRun?.());
  }

  get hasRun(): boolean {
    return this.#makeRun !== undefined;
  }

  runBy(makeRun: () => OperationRun): void {
    this.#makeRun = makeRun;
    this.plainHandler = undefined;
  }

  /** Both schemas if they are compiled. Undefined if `prepare` must be awaited. */
  get schemas(): Schemas | undefined {
    const [input, output] = [this.#input, this.#output];
    if (input === undefined || output === undefined) return undefined;
    const known = this.#schemas;
    input.used = true;
    output.used = true;
    if (known !== undefined && known.input === input.compiled && known.output === output.compiled) {
      return known;
    }
    if (!isLoaded(input) || !isLoaded(output)) return undefined;
    return (this.#schemas = both(input.compiled, output.compiled));
  }

  /** Compiles the schemas that are not compiled, or were dropped. */
  async prepare(): Promise<Schemas> {
    const input = await this.#prepareInput();
    try {
      this.#output ??= this.#slotFor(this.spec.outputSchema);
      return both(input, await this.#compile(this.#output));
    } catch (cause) {
      const outputProblem = `The output was not checked: ${thrownMessage(cause)}`;
      return { input, output: undefined, outputProblem };
    }
  }

  async #prepareInput(): Promise<CompiledSchema | undefined> {
    try {
      this.#input ??= this.#slotFor(this.spec.inputSchema, this.spec.takesDigits);
      return await this.#compile(this.#input);
    } catch (cause) {
      // If a source cannot describe its operation, the error of the source is thrown.
      if (isCallError(cause)) throw cause;
      const message = `Operation ${this.id} cannot be called, because its input schema is invalid: ${thrownMessage(cause)}`;
      throw fail("ADAPTER_UNSUPPORTED", message, { outcome: "not_applied" }, { cause });
    }
  }

  #slotFor(schema: JsonSchema, takesDigits?: boolean): SchemaSlot {
    return isOpen(schema) ? OPEN : this.#cache.slot(schema, takesDigits);
  }

  async #compile(slot: SchemaSlot): Promise<CompiledSchema | undefined> {
    return slot === OPEN ? undefined : (slot.compiled ?? this.#cache.compile(slot));
  }
}

function isLoaded(slot: SchemaSlot): boolean {
  return slot.compiled !== undefined || slot === OPEN;
}
