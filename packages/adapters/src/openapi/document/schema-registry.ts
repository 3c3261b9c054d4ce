import { isRecord } from "@waybill/core/schema";
import type { JsonSchema } from "@waybill/core";
import type { JsonSchemaObject } from "@waybill/core/schema";
import { SchemaConverter } from "./convert-schema.ts";
import type { Direction, Position, SchemaContext } from "./convert-schema.ts";
import { asArray } from "./raw.ts";
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
  // Names of inherited members cannot be used as keys.
  return name in {} ? `_${name}` : name;
}

function pointerTo(name: string): string {
  const key = name.replaceAll("~", "~0").replaceAll("/", "~1");
  return `#/$defs/${encodeURIComponent(key)}`;
}

/** The references that stand for another schema of the same value. */
function referenceEdges(
  schema: unknown,
  edges = { allOf: [] as string[], union: [] as string[] },
): Edges {
  if (!isRecord(schema)) return edges;
  const ref = findRef(schema);
  if (ref !== undefined) edges.allOf.push(ref);
  for (const part of asArray(schema["allOf"])) referenceEdges(part, edges);
  for (const form of [...asArray(schema["anyOf"]), ...asArray(schema["oneOf"]), schema["not"]]) {
    const inner = referenceEdges(form);
    edges.union.push(...inner.allOf, ...inner.union);
  }
  return edges;
}

/**
 * The schemas of one description, for one direction. Each is converted when a check or an
 * explanation first needs it, and is shared by all operations.
 */
export class SchemaRegistry {
  readonly #document: SpecDocument;
  readonly #isLegacy: boolean;
  readonly #direction: Direction;
  readonly #defs: Record<string, JsonSchema> = {};
  readonly #refs = new Map<string, readonly string[]>();
  readonly #edges = new Map<string, Edges>();

  constructor(document: SpecDocument, isLegacy: boolean, direction: Direction) {
    this.#document = document;
    this.#isLegacy = isLegacy;
    this.#direction = direction;
  }

  /** Converts a part of an operation's schema, and adds its references to `used`. */
  convert(schema: unknown, used: Set<string>): JsonSchema {
    return this.#converter(undefined, used).convert(schema);
  }

  /** Follows references to the schema itself. */
  resolved(schema: unknown): unknown {
    const ref = findRef(schema);
    return ref === undefined ? schema : this.#lookup(ref);
  }

  /** A complete schema, with the definitions of everything that it refers to. */
  whole(schema: JsonSchemaObject, used: ReadonlySet<string>): JsonSchemaObject {
    if (used.size === 0) return schema;
    // Listing the definitions, such as for printing, shows only those in use. Reading any of them
    // works.
    const $defs = new Proxy(this.#defs, { ownKeys: () => this.#closure(used) });
    return { $schema: DIALECT, ...schema, $defs };
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

  /** A schema that forbids other members needs a second form for its use as a part. */
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
   * Whether a schema contains itself without end, so that checking it would never finish. Such a
   * cycle is broken at its union if it has one, as in a base type that lists its own derived types.
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

  /** All definitions that these refer to, directly or through others. */
  #closure(used: ReadonlySet<string>): string[] {
    const found = new Set<string>();
    const queue = [...used];
    while (queue.length > 0) {
      const name = queue.pop()!;
      if (found.has(name)) continue;
      found.add(name);
      // Reading a definition converts it, which collects its references.
      if (this.#defs[name] !== undefined) queue.push(...(this.#refs.get(name) ?? []));
    }
    return [...found];
  }
}
