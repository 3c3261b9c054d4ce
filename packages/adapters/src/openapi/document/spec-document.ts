import { isRecord } from "@waybill/core/schema";
import { JsonScanner } from "./json-scan.ts";
import type { JsonSpan } from "./json-scan.ts";

/** A description whose parts are parsed only when they are read. */
export interface SpecDocument {
  /** The value under these keys, or undefined. */
  at(keys: readonly string[]): unknown;
  /** The names of the members under these keys. Empty if there is no object. */
  names(keys: readonly string[]): readonly string[];
  /** Whether a string may occur under these keys. False is certain, true is not. */
  mentions(keys: readonly string[], text: string): boolean;
  /** Whether a part of the description refers to another document. */
  refersElsewhere(): boolean;
}

/** With this depth, components are indexed by name, and operations by their members. */
const INDEXED_DEPTH = 3;
const MAX_KEPT = 5_000;

export function member(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return /^\d{1,9}$/u.test(key) ? value[Number(key)] : undefined;
  return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

const MAX_DEPTH = 200;

function hasOuterReference(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return false;
  const ref: unknown = Array.isArray(value) ? undefined : Reflect.get(value, "$ref");
  if (typeof ref === "string" && !ref.startsWith("#")) return true;
  return Object.values(value).some((inner) => hasOuterReference(inner, depth + 1));
}

/** A description that is already a value in memory. */
export function plainDocument(root: unknown): SpecDocument {
  const at: SpecDocument["at"] = (keys) => keys.reduce(member, root);
  return {
    at,
    names: (keys) => {
      const value = at(keys);
      return isRecord(value) ? Object.keys(value) : [];
    },
    mentions: () => true,
    refersElsewhere: () => hasOuterReference(root, 0),
  };
}

/** A description as JSON text. It is indexed once, and each part is parsed when it is requested. */
class JsonDocument implements SpecDocument {
  readonly #bytes: Buffer;
  readonly #scanner: JsonScanner;
  readonly #root: JsonSpan;
  readonly #parsed = new Map<JsonSpan, unknown>();

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.#scanner = new JsonScanner(bytes);
    this.#root = this.#scanner.whole(INDEXED_DEPTH, "paths");
  }

  refersElsewhere(): boolean {
    return /"\$ref"\s*:\s*"(?!#)/u.test(this.#bytes.toString("latin1"));
  }

  at(keys: readonly string[]): unknown {
    let place = this.#root;
    for (const [depth, key] of keys.entries()) {
      if (place.members === undefined) {
        return keys.slice(depth).reduce(member, this.#value(place));
      }
      const next = place.members.get(key);
      if (next === undefined) return undefined;
      place = next;
    }
    return this.#value(place);
  }

  names(keys: readonly string[]): readonly string[] {
    const place = this.#placeAt(keys);
    if (place?.members !== undefined) return [...place.members.keys()];
    const value = this.at(keys);
    return isRecord(value) ? Object.keys(value) : [];
  }

  mentions(keys: readonly string[], text: string): boolean {
    const place = this.#placeAt(keys);
    return place !== undefined && this.#bytes.subarray(place.start, place.end).includes(text);
  }

  #placeAt(keys: readonly string[]): JsonSpan | undefined {
    let place: JsonSpan | undefined = this.#root;
    for (const key of keys) place = place?.members?.get(key);
    return place;
  }

  #value(place: JsonSpan): unknown {
    const known = this.#parsed.get(place);
    if (known !== undefined) return known;
    const value = this.#scanner.parse(place);
    if (typeof value !== "object") return value;
    // The whole cache is cleared at once, because parts are used close together in time and
    // parsing a part again is cheap.
    if (this.#parsed.size >= MAX_KEPT) this.#parsed.clear();
    this.#parsed.set(place, value);
    return value;
  }
}

export function jsonDocument(bytes: Buffer): SpecDocument {
  return new JsonDocument(bytes);
}
