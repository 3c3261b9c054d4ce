/** A JSON Schema 2020-12 document as it is, never converted. */
export type JsonSchema = boolean | JsonSchemaObject;

export interface JsonSchemaObject {
  readonly [keyword: string]: unknown;
}

/** A value as JSON holds it, and what had to be left out on the way. */
export interface JsonValue {
  readonly value: unknown;
  /** A sentence for each thing that JSON cannot hold. */
  readonly warnings: readonly string[];
}

const MAX_DEPTH = 512;
/** An object shared many times over unfolds without end in JSON; this is where it is stopped. */
const MAX_VALUES = 20_000_000;
const MAX_WARNINGS = 8;
const NO_WARNINGS: readonly string[] = Object.freeze([]);

/** Sets an own property even for `__proto__`, which plain assignment would swallow. */
export function setOwn(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === "__proto__") {
    Object.defineProperty(target, key, {
      value,
      writable: true,
      enumerable: true,
      configurable: true,
    });
  } else {
    target[key] = value;
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

let valuesSeen = 0;

function countValue(): void {
  valuesSeen += 1;
  if (valuesSeen > MAX_VALUES) throw new TypeError(`more than ${MAX_VALUES} values`);
}

/** Whether a value is already JSON, so that the common case copies nothing. */
function isJson(value: unknown, depth: number): boolean {
  countValue();
  switch (typeof value) {
    case "string":
    case "boolean":
      return true;
    case "number":
      return Number.isFinite(value);
    case "object":
      return value === null || (depth < MAX_DEPTH && isJsonObject(value, depth));
    default:
      return false;
  }
}

function isJsonObject(value: object, depth: number): boolean {
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      if (!isJson(value[index], depth + 1)) return false;
    }
    return true;
  }
  if (!isPlainObject(value) || typeof Reflect.get(value, "toJSON") === "function") return false;
  for (const key in value) {
    if (!isJson((value as Record<string, unknown>)[key], depth + 1)) return false;
  }
  return true;
}

function pointerTo(keys: readonly string[]): string {
  return keys.map((key) => `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** Copies what JSON can hold and says what it cannot. A loop in the data is an error with its place. */
class JsonCopy {
  readonly warnings: string[] = [];
  readonly #ancestors = new Set<object>();
  readonly #keys: string[] = [];

  copy(value: unknown): unknown {
    countValue();
    if (typeof value === "string" || typeof value === "boolean" || value === null) return value;
    if (typeof value === "number") {
      return Number.isFinite(value) ? value : this.#leaveOut(String(value));
    }
    if (typeof value === "object") return this.#copyObject(value);
    return this.#leaveOut(typeof value);
  }

  #leaveOut(what: string): undefined {
    if (what !== "undefined" && this.warnings.length < MAX_WARNINGS) {
      this.warnings.push(`left out ${what} at ${pointerTo(this.#keys) || "the root"}: not JSON`);
    }
    return undefined;
  }

  #copyObject(value: object): unknown {
    if (this.#ancestors.has(value)) {
      throw new TypeError(`the value contains itself at ${pointerTo(this.#keys)}`);
    }
    // Counted in objects, not in keys: a `toJSON` that makes another of its kind adds no key.
    if (this.#ancestors.size >= MAX_DEPTH) throw new TypeError(`deeper than ${MAX_DEPTH} levels`);
    this.#ancestors.add(value);
    const copied = this.#copyMembers(value);
    this.#ancestors.delete(value);
    return copied;
  }

  #copyMembers(value: object): unknown {
    const toJSON: unknown = Reflect.get(value, "toJSON");
    if (typeof toJSON === "function") return this.copy(toJSON.call(value));
    if (Array.isArray(value)) {
      // Not `map`, which would leave the holes of a sparse list in place.
      return Array.from(value, (item, index) => this.#at(String(index), item) ?? null);
    }
    const copied: Record<string, unknown> = {};
    for (const key of Object.keys(value)) {
      const member = this.#at(key, (value as Record<string, unknown>)[key]);
      if (member !== undefined) setOwn(copied, key, member);
    }
    return copied;
  }

  #at(key: string, value: unknown): unknown {
    this.#keys.push(key);
    const copied = this.copy(value);
    this.#keys.pop();
    return copied;
  }
}

/**
 * What a wire can carry of a value: `undefined` is `null`, whatever is JSON already is not copied.
 * Throws a TypeError when the value contains itself or the whole of it is not JSON.
 */
export function toJson(value: unknown): JsonValue {
  if (value === undefined) return { value: null, warnings: NO_WARNINGS };
  valuesSeen = 0;
  if (isJson(value, 0)) return { value, warnings: NO_WARNINGS };
  const copy = new JsonCopy();
  const copied = copy.copy(value);
  if (copied === undefined) throw new TypeError(`a ${typeof value} is not JSON`);
  return { value: copied, warnings: copy.warnings };
}
