import { isRecord } from "../envelope/index.ts";
import type { JsonSchema } from "../envelope/index.ts";

/**
 * Characters that control a terminal, or that a person cannot see but a model reads: control codes,
 * marks that reorder text, zero-width characters, variation selectors, tags and lone surrogates.
 */
const HIDDEN = /(?![\n\t])\p{Cc}|\p{Cf}|\p{Cs}|\p{Default_Ignorable_Code_Point}|[\u2028\u2029]/gu;

/** Checks for plain ASCII first, because most strings are and this is much faster. */
const PLAIN = /^[\n\t -~]*$/;

const MAX_TEXT = 4_000;

/** Members of a schema that are text for a reader. */
const WORDS: ReadonlySet<string> = new Set(["description", "title", "$comment"]);
/** Members of a schema that are values and must not change. */
const VALUES: ReadonlySet<string> = new Set(["const", "enum", "default"]);

/** Text from outside without hidden characters, cut to a limit. */
export function outsideText(text: string, limit: number = MAX_TEXT): string {
  const clean = PLAIN.test(text) ? text : text.replaceAll("\r\n", "\n").replaceAll(HIDDEN, "");
  if (clean.length <= limit) return clean;
  // Does not cut between the two halves of a surrogate pair.
  return `${clean.slice(0, limit - 1).replace(/[\uD800-\uDBFF]$/u, "")}…`;
}

/** Cleans each part once, because schemas share parts and may be recursive. */
const cleaned = new WeakMap<object, unknown>();

function cleanMember(key: string, value: unknown): unknown {
  if (VALUES.has(key)) return value;
  return typeof value === "string" && WORDS.has(key) ? outsideText(value) : cleanValue(value);
}

function cleanParts(value: object): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => cleanValue(item));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (!isRecord(value)) return value;
  const clean = Object.entries(value).map(
    ([key, member]) => [key, cleanMember(key, member)] as const,
  );
  const isChanged = clean.some(([key, member]) => member !== value[key]);
  return isChanged ? Object.fromEntries(clean) : value;
}

/** Returns the value itself if nothing has to change. */
function cleanValue(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (cleaned.has(value)) return cleaned.get(value);
  cleaned.set(value, value);
  const clean = cleanParts(value);
  cleaned.set(value, clean);
  return clean;
}

/**
 * A schema from outside with hidden characters removed from its text. It accepts the same
 * values.
 */
export function outsideSchema(schema: JsonSchema): JsonSchema {
  return cleanValue(schema) as JsonSchema;
}
