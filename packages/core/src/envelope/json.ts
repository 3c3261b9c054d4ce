import { isBinary, isBoxed, isOpaque, builtInKind } from "./json-kinds.ts";

/** A JSON Schema 2020-12 document, used without conversion. */
export type JsonSchema = boolean | JsonSchemaObject;

/** A JSON Schema that is an object. */
export interface JsonSchemaObject {
  readonly [keyword: string]: unknown;
}

/** A value as JSON, with warnings about what was removed. */
export interface JsonValue {
  /** The value, with only what JSON can hold. */
  readonly value: unknown;
  /** One sentence for each value that JSON cannot hold. */
  readonly warnings: readonly string[];
}

const MAX_DEPTH = 512;
/**
 * The maximum number of objects. JSON repeats a shared object each time, so the text can grow
 * without limit.
 */
const MAX_VALUES = 20_000_000;
const MAX_WARNINGS = 8;
const NO_WARNINGS: readonly string[] = Object.freeze([]);
/**
 * Why a value is not JSON. The message names positions and types, never content, so it is safe to
 * show.
 */
class NotJson extends TypeError {}

/** Sets an own property, also for `__proto__`, which a plain assignment ignores. */
export function setOwn(
  target: Record<string | number, unknown>,
  key: string | number,
  value: unknown,
): void {
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

const NO_MEMBERS = Object.freeze({});

/**
 * Like `{ ...one, ...other }`, but starts from an empty object: V8 takes half a microsecond for
 * each member that is added to a copied object, and every call merges objects.
 */
export function merge<One extends object, Other extends object>(
  one: One,
  other: Other,
): One & Other {
  return { ...NO_MEMBERS, ...one, ...other };
}

/** Whether a value is an object that is neither null nor an array. */
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
  if (valuesSeen > MAX_VALUES) throw new NotJson(`more than ${MAX_VALUES} values`);
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

/**
 * Copies what JSON can hold and warns about the rest. A cycle in the data is an error with its
 * position.
 */
class JsonCopy {
  readonly warnings: string[] = [];
  readonly #ancestors = new Set<object>();
  readonly #keys: string[] = [];

  /** The current position, or the position at which copying failed. */
  get place(): string {
    return pointerTo(this.#keys) || "the root";
  }

  copy(value: unknown): unknown {
    countValue();
    if (typeof value === "string" || typeof value === "boolean" || value === null) return value;
    if (typeof value === "number") {
      return Number.isFinite(value) ? value : this.#leaveOut(String(value));
    }
    if (typeof value === "object") return this.#copyObject(value);
    return this.#leaveOut(typeof value);
  }

  #leaveOut(kind: string, why = "not JSON"): undefined {
    if (kind === "undefined") return undefined;
    if (this.#keys.length === 0) throw new NotJson(`${withArticle(kind)} is not JSON`);
    if (this.warnings.length < MAX_WARNINGS) {
      this.warnings.push(`left out ${kind} at ${this.place}: ${why}`);
    }
    return undefined;
  }

  #copyObject(value: object): unknown {
    if (this.#ancestors.has(value)) throw new NotJson(`the value contains itself at ${this.place}`);
    // Counts objects, not keys, because a `toJSON` that returns another object adds no key.
    if (this.#ancestors.size >= MAX_DEPTH) throw new NotJson(`deeper than ${MAX_DEPTH} levels`);
    this.#ancestors.add(value);
    const copied = isPlainObject(value) ? this.#copyPlain(value) : this.#copySpecial(value);
    this.#ancestors.delete(value);
    return copied;
  }

  #copyPlain(value: object): unknown {
    const toJSON: unknown = Reflect.get(value, "toJSON");
    return typeof toJSON === "function" ? this.copy(toJSON.call(value)) : this.#copyMembers(value);
  }

  #copySpecial(value: object): unknown {
    const kind = builtInKind(value);
    // Checks for bytes before `toJSON`, which would turn a Buffer into a list of numbers.
    if (isBinary(value, kind)) return this.#leaveOut(kind, "binary is not JSON");
    const toJSON: unknown = Reflect.get(value, "toJSON");
    if (typeof toJSON === "function") return this.copy(toJSON.call(value));
    if (Array.isArray(value)) return this.#copyList(value);
    if (isBoxed(kind)) return this.copy(value.valueOf());
    return isOpaque(value, kind) ? this.#leaveOut(kind) : this.#copyMembers(value);
  }

  #copyList(list: readonly unknown[]): unknown[] {
    // Does not use `map`, which would keep the holes of a sparse array.
    const { length } = list;
    return Array.from({ length }, (_hole, index) => this.#at(list, String(index)) ?? null);
  }

  #copyMembers(value: object): Record<string, unknown> {
    const copied: Record<string, unknown> = {};
    for (const key of Object.keys(value)) {
      const member = this.#at(value, key);
      if (member !== undefined) setOwn(copied, key, member);
    }
    return copied;
  }

  /** Records the key first, so that an error in a getter has the right position. */
  #at(holder: object, key: string): unknown {
    this.#keys.push(key);
    const copied = this.copy((holder as Record<string, unknown>)[key]);
    this.#keys.pop();
    return copied;
  }
}

function withArticle(kind: string): string {
  return `${/^[aeio]/i.test(kind) ? "an" : "a"} ${kind}`;
}

/** If reading throws here, the copy throws too and names the position. */
function isJsonAlready(value: unknown): boolean {
  try {
    return isJson(value, 0);
  } catch {
    return false;
  }
}

/**
 * The code of a value, such as a getter, may throw anything. Its message is kept in the cause,
 * which agents do not see.
 */
function readCopy(value: unknown, copy: JsonCopy): unknown {
  try {
    return copy.copy(value);
  } catch (cause) {
    if (cause instanceof NotJson) throw cause;
    throw new TypeError(`the value cannot be read at ${copy.place}`, { cause });
  }
}

/**
 * Converts a value to JSON. `undefined` becomes `null`, and a value that is already JSON is not
 * copied. Throws a TypeError if the value contains itself, cannot be read or is not JSON.
 */
export function toJson(value: unknown): JsonValue {
  if (value === undefined) return { value: null, warnings: NO_WARNINGS };
  valuesSeen = 0;
  if (isJsonAlready(value)) return { value, warnings: NO_WARNINGS };
  const copy = new JsonCopy();
  const copied = readCopy(value, copy);
  if (copied === undefined) throw new NotJson(`${withArticle(typeof value)} is not JSON`);
  return { value: copied, warnings: copy.warnings };
}
