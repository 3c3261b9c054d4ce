import type { JsonSchema } from "../envelope/index.ts";
import { isRecord, setOwn } from "../envelope/index.ts";
import { LIST_KEYWORDS, MAP_KEYWORDS, SCHEMA_KEYWORDS } from "./keywords.ts";
import { isSchema, resolveRef } from "./pointer.ts";

/** A schema in a form that a model provider accepts. */
export interface ProjectedSchema {
  /** The projected schema. */
  readonly schema: JsonSchema;
  /** Whether something was omitted to stay within the budget. */
  readonly truncated: boolean;
}

const MAX_DEPTH = 24;
const DROPPED = new Set(["$defs", "definitions", "$schema", "$id", "$anchor", "$ref"]);

class TooLarge extends Error {}

/** Expands references down to a given depth. Deeper parts keep only their type and description. */
class Projection {
  truncated = false;
  readonly #root: JsonSchema;
  #charsLeft: number;

  constructor(root: JsonSchema, maxChars: number) {
    this.#root = root;
    this.#charsLeft = maxChars;
  }

  schema(schema: JsonSchema, depth: number): JsonSchema {
    if (!isRecord(schema)) return schema;
    const resolved = resolveRef(this.#root, schema);
    if (!isRecord(resolved)) return resolved ?? true;
    const { $ref: _ref, ...beside } = schema;
    const own = "$ref" in schema ? { ...resolved, ...beside } : resolved;
    return depth < 0 ? this.#outline(own) : this.#members(own, depth);
  }

  #spend(text: string | undefined): void {
    this.#charsLeft -= (text?.length ?? 0) + 1;
    if (this.#charsLeft < 0) throw new TooLarge();
  }

  #outline(schema: Record<string, unknown>): JsonSchema {
    const outline: Record<string, unknown> = {};
    for (const keyword of ["type", "description", "title", "enum", "const"]) {
      if (Object.hasOwn(schema, keyword)) outline[keyword] = schema[keyword];
    }
    if (Object.keys(schema).some((key) => !DROPPED.has(key) && !Object.hasOwn(outline, key))) {
      this.truncated = true;
    }
    this.#spend(JSON.stringify(outline));
    return outline;
  }

  #members(schema: Record<string, unknown>, depth: number): JsonSchema {
    const projected: Record<string, unknown> = {};
    for (const [keyword, value] of Object.entries(schema)) {
      if (DROPPED.has(keyword)) continue;
      this.#spend(keyword);
      setOwn(projected, keyword, this.#keyword(keyword, value, depth));
    }
    return projected;
  }

  #keyword(keyword: string, value: unknown, depth: number): unknown {
    if (MAP_KEYWORDS.has(keyword) && isRecord(value)) return this.#map(value, depth);
    if (LIST_KEYWORDS.has(keyword) && Array.isArray(value)) {
      return value.map((item) => (isSchema(item) ? this.schema(item, depth - 1) : item));
    }
    if (SCHEMA_KEYWORDS.has(keyword) && isSchema(value)) return this.schema(value, depth - 1);
    this.#spend(JSON.stringify(value));
    return value;
  }

  #map(map: Record<string, unknown>, depth: number): Record<string, unknown> {
    const projected: Record<string, unknown> = {};
    for (const [name, schema] of Object.entries(map)) {
      this.#spend(name);
      setOwn(projected, name, isSchema(schema) ? this.schema(schema, depth - 1) : schema);
    }
    return projected;
  }
}

function projectTo(root: JsonSchema, depth: number, maxChars: number): ProjectedSchema | undefined {
  const projection = new Projection(root, maxChars);
  try {
    const schema = projection.schema(root, depth);
    return JSON.stringify(schema).length > maxChars
      ? undefined
      : { schema, truncated: projection.truncated };
  } catch (error) {
    if (error instanceof TooLarge) return undefined;
    throw error;
  }
}

/**
 * Writes a schema without references in at most `maxChars` characters of JSON, as deep as that
 * allows. A recursive schema is expanded until the budget is used.
 */
export function projectSchema(schema: JsonSchema, maxChars: number): ProjectedSchema {
  let best: ProjectedSchema = { schema: true, truncated: true };
  for (let depth = -1; depth <= MAX_DEPTH; depth++) {
    const projected = projectTo(schema, depth, maxChars);
    if (projected === undefined) break;
    best = projected;
    if (!projected.truncated) break;
  }
  return best;
}
