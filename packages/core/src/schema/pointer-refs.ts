import type { JsonSchema } from "../envelope/index.ts";
import { isRecord, setOwn } from "../envelope/index.ts";
import { DATA_KEYWORDS, isSchema, keywordsIn, referenceTarget } from "./pointer.ts";

/** Keywords that refer to a schema, and those that give a schema a name. */
const REFERENCES = ["$ref", "$dynamicRef", "$recursiveRef"] as const;
const NAMES: ReadonlySet<string> = new Set([
  "$id",
  "$anchor",
  "$dynamicAnchor",
  "$recursiveAnchor",
]);
const HOME = "~named";

function isPointer(ref: string): boolean {
  return ref === "#" || ref.startsWith("#/");
}

/** Whether something in a schema is referred to by its name, or by where a check comes from. */
function hasNamedRefs(root: JsonSchema): boolean {
  for (const [keyword, ref] of keywordsIn(root)) {
    const isReference = typeof ref === "string" && REFERENCES.includes(keyword as "$ref");
    if (isReference && (keyword !== "$ref" || !isPointer(ref))) return true;
  }
  return false;
}

/** A copy of a schema in which every reference is a pointer from the root. */
class PointerCopy {
  readonly #root: JsonSchema;
  readonly #copies = new Map<object, unknown>();
  readonly #indexes = new Map<JsonSchema, number>();
  readonly #named: unknown[] = [];

  constructor(root: JsonSchema) {
    this.#root = root;
  }

  make(): JsonSchema {
    const copy = this.#copy(this.#root) as Record<string, unknown>;
    copy["$defs"] = { ...(isRecord(copy["$defs"]) ? copy["$defs"] : {}), [HOME]: this.#named };
    return copy;
  }

  #copy(value: unknown): unknown {
    if (typeof value !== "object" || value === null) return value;
    const known = this.#copies.get(value);
    if (known !== undefined) return known;
    const copy: Record<string, unknown> | unknown[] = Array.isArray(value) ? [] : {};
    this.#copies.set(value, copy);
    for (const [keyword, inner] of Object.entries(value)) this.#add(copy, keyword, inner);
    return copy;
  }

  #add(copy: object, keyword: string, inner: unknown): void {
    const isText = typeof inner === "string";
    const target = copy as Record<string, unknown>;
    if (isText && REFERENCES.includes(keyword as "$ref")) setOwn(target, "$ref", this.#ref(inner));
    else if (NAMES.has(keyword) && !isRecord(inner)) return;
    else setOwn(target, keyword, DATA_KEYWORDS.has(keyword) ? inner : this.#copy(inner));
  }

  /** A reference to nothing stays as it is, and is reported as broken. */
  #ref(ref: string): string {
    if (isPointer(ref)) return ref;
    const found = referenceTarget(this.#root, ref);
    if (!isSchema(found)) return ref;
    if (found === this.#root) return "#";
    const index = this.#indexes.get(found) ?? this.#named.length;
    if (index === this.#named.length) {
      this.#indexes.set(found, index);
      this.#named.push(undefined);
      this.#named[index] = this.#copy(found);
    }
    return `#/$defs/${HOME}/${index}`;
  }
}

/**
 * The schema with a pointer instead of each reference by name. The engine finds names by rules of
 * its own, and what it finds must be what was looked at: a pattern that was not would run
 * unbounded. `$dynamicRef` becomes a plain reference, which it is in a schema of one document.
 */
export function withPointerRefs(root: JsonSchema): JsonSchema {
  return isRecord(root) && hasNamedRefs(root) ? new PointerCopy(root).make() : root;
}
