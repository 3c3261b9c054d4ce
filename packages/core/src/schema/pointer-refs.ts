import type { JsonSchema } from "../envelope/index.ts";
import { isRecord, setOwn } from "../envelope/index.ts";
import { DATA_KEYWORDS, isSchema, keywordsIn, referenceTarget } from "./pointer.ts";

/** Keywords that refer to another schema. */
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

/** Whether a schema has references by name or dynamic references. */
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

  /** A reference without a target stays unchanged and is reported. */
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
 * Replaces each reference by name with a pointer. The engine resolves names by its own rules, so
 * it could use a schema that was not inspected and run its pattern without a limit.
 * `$dynamicRef` becomes a plain reference, which means the same in a single document.
 */
export function withPointerRefs(root: JsonSchema): JsonSchema {
  return isRecord(root) && hasNamedRefs(root) ? new PointerCopy(root).make() : root;
}
