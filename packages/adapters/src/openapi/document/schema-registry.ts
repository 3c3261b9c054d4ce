import { isRecord } from "@waybill/core/schema";
import type { JsonSchema } from "@waybill/core";
import type { JsonSchemaObject } from "@waybill/core/schema";
import { SchemaConverter } from "./convert-schema.ts";
import type { Direction, Position, SchemaContext } from "./convert-schema.ts";
import { asArray, asRecord } from "./raw.ts";
import { findKeys, findRef, resolve } from "./references.ts";
import type { SpecDocument } from "./spec-document.ts";

const DIALECT = "https://json-schema.org/draft/2020-12/schema";
const MAX_WALK = 10_000;

type Edges = Readonly<Record<"allOf" | "union", readonly string[]>>;

function definitionName(ref: string): string {
  const keys = findKeys(ref) ?? [];
  const isComponent =
    (keys.length === 3 && keys[0] === "components" && keys[1] === "schemas") ||
    (keys.length === 2 && keys[0] === "definitions");
  const name = isComponent ? keys.at(-1)! : keys.join("/");
  // The name of an inherited member, such as `toString`, cannot be used as a key.
  return name in {} ? `_${name}` : name;
}

function pointerTo(name: string): string {
  const key = name.replaceAll("~", "~0").replaceAll("/", "~1");
  return `#/$defs/${encodeURIComponent(key)}`;
}

/** The references of a schema to other schemas for the same value. */
function referenceEdges(
  schema: unknown,
  edges = { allOf: [] as string[], union: [] as string[] },
): Edges {
  if (!isRecord(schema)) return edges;
  const ref = findRef(schema);
  if (ref !== undefined) edges.allOf.push(ref);
  for (const part of asArray(schema["allOf"])) referenceEdges(part, edges);
  const { anyOf, oneOf, not, if: condition, then, else: otherwise, dependentSchemas } = schema;
  const conditions = [
    not,
    condition,
    then,
    otherwise,
    ...Object.values(asRecord(dependentSchemas)),
  ];
  for (const form of [...asArray(anyOf), ...asArray(oneOf), ...conditions]) {
    const inner = referenceEdges(form);
    edges.union.push(...inner.allOf, ...inner.union);
  }
  return edges;
}

/**
 * The schemas of one description, for requests or for responses. Each is converted when a check
 * or an explanation first needs it, and all operations share it.
 */
export class SchemaRegistry {
  readonly #document: SpecDocument;
  readonly #isLegacy: boolean;
  readonly #direction: Direction;
  readonly #defs: Record<string, JsonSchema> = {};
  readonly #refs = new Map<string, readonly string[]>();
  readonly #edges = new Map<string, Edges>();
  /** Operations with the same references share the list of their definitions. */
  readonly #listed = new Map<string, Record<string, JsonSchema>>();

  constructor(document: SpecDocument, isLegacy: boolean, direction: Direction) {
    this.#document = document;
    this.#isLegacy = isLegacy;
    this.#direction = direction;
  }

  /** Converts a part of an operation's schema, and adds its references to `used`. */
  convert(schema: unknown, used: Set<string>): JsonSchema {
    return this.#converter(undefined, used).convert(schema);
  }

  /** Follows references until it finds a schema that is not a reference. */
  resolved(schema: unknown): unknown {
    const ref = findRef(schema);
    return ref === undefined ? schema : this.#lookup(ref);
  }

  /** A complete schema, with the definitions of everything that it refers to. */
  whole(schema: JsonSchemaObject, used: ReadonlySet<string>): JsonSchemaObject {
    if (used.size === 0) return schema;
    const key = [...used].toSorted().join("\n");
    const $defs = this.#listed.get(key) ?? this.#listOnly(used);
    this.#listed.set(key, $defs);
    return { $schema: DIALECT, ...schema, $defs };
  }

  /**
   * The definitions. Listing them, such as for printing, shows only those that are used. Every
   * definition can be read.
   */
  #listOnly(used: ReadonlySet<string>): Record<string, JsonSchema> {
    let names: string[] | undefined;
    return new Proxy(this.#defs, { ownKeys: () => (names ??= this.#closure(used)) });
  }

  #converter(owner: string | undefined, used: Set<string>): SchemaConverter {
    const context: SchemaContext = {
      direction: this.#direction,
      isLegacy: this.#isLegacy,
      reference: (ref, position, isPart) => {
        const isBack =
          owner !== undefined && position !== "part" && this.#leadsBack(ref, owner, position);
        return isBack ? true : this.#reference(ref, isPart, used);
      },
      lookup: (ref) => this.#lookup(ref),
    };
    return new SchemaConverter(context);
  }

  #lookup(ref: string): unknown {
    try {
      return resolve(this.#document, { $ref: ref });
    } catch {
      return undefined;
    }
  }

  /**
   * A schema that forbids other members needs a second form for its use as a part of another
   * schema.
   */
  #reference(ref: string, isPart: boolean, used: Set<string>): JsonSchema {
    const target = this.#lookup(ref);
    if (target === undefined) return true;
    const isClosed = isRecord(target) && (target["additionalProperties"] ?? true) !== true;
    const isOpened = isPart && isClosed;
    const name = isOpened ? `${definitionName(ref)} (open)` : definitionName(ref);
    this.#define(name, ref, isOpened);
    used.add(name);
    return { $ref: pointerTo(name) };
  }

  #define(name: string, ref: string, isPart: boolean): void {
    if (Object.hasOwn(this.#defs, name)) return;
    Object.defineProperty(this.#defs, name, {
      get: () => this.#fill(name, ref, isPart),
      enumerable: true,
      configurable: true,
    });
  }

  #fill(name: string, ref: string, isPart: boolean): JsonSchema {
    const used = new Set<string>();
    const raw = this.#document.at(findKeys(ref) ?? []);
    const value = this.#converter(ref, used).convert(raw, "allOf", 0, isPart);
    this.#refs.set(name, [...used]);
    Object.defineProperty(this.#defs, name, { value, enumerable: true, configurable: true });
    return value;
  }

  /**
   * Whether a schema contains itself in such a way that checking it would never end. Such a
   * cycle is broken at its union, if it has one, as in a base type that lists its own derived
   * types.
   */
  #leadsBack(ref: string, owner: string, position: Position): boolean {
    const seen = new Set<string>();
    const queue = [ref];
    while (queue.length > 0 && seen.size < MAX_WALK) {
      const next = queue.pop()!;
      if (next === owner) return true;
      if (seen.has(next)) continue;
      seen.add(next);
      const { allOf, union } = this.#edgesAt(next);
      queue.push(...allOf);
      if (position === "union") queue.push(...union);
    }
    return false;
  }

  #edgesAt(ref: string): Edges {
    const known = this.#edges.get(ref);
    if (known !== undefined) return known;
    const keys = findKeys(ref);
    const edges = referenceEdges(keys === undefined ? undefined : this.#document.at(keys));
    this.#edges.set(ref, edges);
    return edges;
  }

  /** All definitions that these definitions refer to, directly or indirectly. */
  #closure(used: ReadonlySet<string>): string[] {
    const found = new Set<string>();
    const queue = [...used];
    while (queue.length > 0) {
      const name = queue.pop()!;
      if (found.has(name)) continue;
      found.add(name);
      // Reading a definition converts it, which also collects its references.
      if (this.#defs[name] !== undefined) queue.push(...(this.#refs.get(name) ?? []));
    }
    return [...found];
  }
}
