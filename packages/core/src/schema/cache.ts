import type { JsonSchema, JsonSchemaObject } from "../envelope/index.ts";
import type { Checker, CompiledSchema, CompileOptions } from "./compile.ts";
import { compilePlainly, loadChecker } from "./compile.ts";

/** Where a schema's compiled form stands while the cache keeps it. */
export interface SchemaSlot {
  readonly schema: JsonSchema;
  compiled: CompiledSchema | undefined;
  /** Set by each use, cleared when the cache looks for something to forget. */
  used: boolean;
}

export interface SchemaCacheOptions extends CompileOptions {
  /** How many compiled schemas are kept at most. */
  readonly limit?: number;
}

const DEFAULT_LIMIT = 2_000;

/**
 * Keeps the most recently used compiled schemas. Callers hold the slot, so a hit costs a field
 * read; forgetting goes round like a clock's hand and spares what was used since the last round.
 */
export class SchemaCache {
  readonly #slots = new WeakMap<JsonSchemaObject, SchemaSlot>();
  readonly #kept: SchemaSlot[] = [];
  readonly #limit: number;
  readonly #options: CompileOptions;
  #checker: Checker | undefined;
  #hand = 0;

  constructor(options: SchemaCacheOptions = {}) {
    this.#limit = Math.max(1, options.limit ?? DEFAULT_LIMIT);
    this.#options = options;
  }

  get size(): number {
    return this.#kept.length;
  }

  slot(schema: JsonSchema): SchemaSlot {
    if (typeof schema === "boolean") return { schema, compiled: undefined, used: false };
    const known = this.#slots.get(schema);
    if (known !== undefined) return known;
    const slot: SchemaSlot = { schema, compiled: undefined, used: false };
    this.#slots.set(schema, slot);
    return slot;
  }

  /** The compiled form, made on first use. Throws a TypeError for a schema that cannot be compiled. */
  async compile(slot: SchemaSlot): Promise<CompiledSchema> {
    if (this.#checker === undefined) {
      const plain = compilePlainly(slot.schema, () => void this.#replacePlain(slot));
      if (plain !== undefined) slot.compiled ??= this.#keep(slot, plain);
    }
    slot.compiled ??= this.#keep(slot, (await this.#load()).compile(slot.schema, this.#options));
    slot.used = true;
    return slot.compiled;
  }

  async #load(): Promise<Checker> {
    return (this.#checker ??= await loadChecker());
  }

  /** The engine's code is quicker than going through a schema; until it is loaded nobody waits. */
  async #replacePlain(slot: SchemaSlot): Promise<void> {
    const checker = await this.#load();
    if (slot.compiled === undefined) return;
    slot.compiled = checker.compile(slot.schema, this.#options);
  }

  #keep(slot: SchemaSlot, compiled: CompiledSchema): CompiledSchema {
    if (this.#kept.length < this.#limit) this.#kept.push(slot);
    else this.#replaceOldest(slot);
    return compiled;
  }

  #replaceOldest(slot: SchemaSlot): void {
    while (this.#kept[this.#hand]!.used) {
      this.#kept[this.#hand]!.used = false;
      this.#hand = (this.#hand + 1) % this.#limit;
    }
    this.#kept[this.#hand]!.compiled = undefined;
    this.#kept[this.#hand] = slot;
    this.#hand = (this.#hand + 1) % this.#limit;
  }
}
