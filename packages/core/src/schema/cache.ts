import type { JsonSchema, JsonSchemaObject } from "../envelope/index.ts";
import type { CompiledSchema, CompileOptions } from "./compile.ts";
import { compilePlainly, loadChecker } from "./compile.ts";

/** Holds the compiled form of a schema as long as the cache keeps it. */
export interface SchemaSlot {
  readonly schema: JsonSchema;
  readonly takesDigits: boolean;
  compiled: CompiledSchema | undefined;
  /** Set by each use. The cache clears it when it looks for entries to drop. */
  used: boolean;
}

/** Options of a SchemaCache. */
export interface SchemaCacheOptions extends CompileOptions {
  /** Maximum number of compiled schemas (default: 2000). */
  readonly limit?: number;
  /**
   * Checks a simple schema without the engine. Each check is slower, but for one or two checks
   * this is faster than loading the engine (default: false).
   */
  readonly fewChecks?: boolean;
}

const DEFAULT_LIMIT = 2_000;

/**
 * Keeps the most recently used compiled schemas. Callers hold the slot, so a hit is one property
 * read. Entries are dropped in rounds (the clock algorithm): an entry that was used since the
 * last round is kept.
 */
export class SchemaCache {
  readonly #slots = new WeakMap<JsonSchemaObject, SchemaSlot>();
  readonly #kept: SchemaSlot[] = [];
  readonly #limit: number;
  readonly #options: SchemaCacheOptions;
  #hand = 0;

  /** Creates an empty cache. */
  constructor(options: SchemaCacheOptions = {}) {
    this.#limit = Math.max(1, options.limit ?? DEFAULT_LIMIT);
    this.#options = options;
  }

  /** Number of compiled schemas. */
  get size(): number {
    return this.#kept.length;
  }

  /** The slot of a schema, with or without its compiled form. */
  slot(schema: JsonSchema, takesDigits = false): SchemaSlot {
    const made: SchemaSlot = { schema, takesDigits, compiled: undefined, used: false };
    if (typeof schema === "boolean") return made;
    const known = this.#slots.get(schema);
    if (known?.takesDigits === takesDigits) return known;
    this.#slots.set(schema, made);
    return made;
  }

  /**
   * Returns the compiled form, created on first use. Throws a TypeError for a schema that cannot be
   * compiled.
   */
  async compile(slot: SchemaSlot): Promise<CompiledSchema> {
    const plain =
      this.#options.fewChecks === true ? compilePlainly(slot.schema, slot.takesDigits) : undefined;
    const checker = plain === undefined ? await loadChecker(slot.schema) : undefined;
    slot.compiled ??= this.#keep(
      slot,
      plain ?? checker!.compile(slot.schema, { ...this.#options, takesDigits: slot.takesDigits }),
    );
    slot.used = true;
    return slot.compiled;
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
