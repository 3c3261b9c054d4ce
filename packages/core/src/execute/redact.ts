import { isRecord, setOwn } from "../envelope/index.ts";
import type { CallError } from "../envelope/index.ts";
import { cleanError } from "./redact-error.ts";
import { isSecretName, REDACTED, redactShapes } from "./secret-shapes.ts";

const MAX_DEPTH = 64;
/** Shorter ones would be found in the middle of words. */
const MIN_SECRET = 6;

export interface Redactor {
  text(text: string): string;
  /** A copy in which nothing looks like a secret, by value or by name. */
  value(value: unknown): unknown;
  /**
   * An upstream's answer without the secrets that are known by value. What merely looks like one
   * stays, for a file or a log that was asked for must come as it is.
   */
  data<Value>(value: Value): Value;
  /** A copy of a failure and of all that caused it, stacks included. */
  error(error: CallError): CallError;
}

/** Numbers and flags beside a secret's name say how many there are, or whether. */
function isTelling(value: unknown): boolean {
  return (
    (typeof value === "string" && value !== "") || (typeof value === "object" && value !== null)
  );
}

function clearedOf(text: string, secrets: Iterable<string>): string {
  let clean = text;
  for (const secret of secrets) {
    if (secret.length >= MIN_SECRET) clean = clean.replaceAll(secret, REDACTED);
  }
  return clean;
}

/** A copy with every text and secretly named member changed; deeper than allowed, nothing is left. */
function mapped(
  original: unknown,
  text: (text: string) => string,
  isHidden: (name: string, member: unknown) => boolean,
  depth = 0,
): unknown {
  if (typeof original === "string") return text(original);
  if (typeof original !== "object" || original === null) return original;
  if (depth > MAX_DEPTH) return REDACTED;
  if (Array.isArray(original)) {
    return original.map((item) => mapped(item, text, isHidden, depth + 1));
  }
  if (!isRecord(original)) return original;
  const clean: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(original)) {
    const hidden = isHidden(name, member);
    // A name may be a secret too: of a map from tokens to whatever they are for.
    const shown = name.length < MIN_SECRET ? name : text(name);
    setOwn(clean, shown, hidden ? REDACTED : mapped(member, text, isHidden, depth + 1));
  }
  return clean;
}

function isHiddenByName(name: string, member: unknown): boolean {
  return isTelling(member) && isSecretName(name);
}

const isNeverHidden = (): boolean => false;

/** Takes out whatever looks like a secret, and every secret that is known by its value. */
export function createRedactor(secrets: () => Iterable<string> = () => []): Redactor {
  const text = (original: string): string => redactShapes(clearedOf(original, secrets()));
  const value = (original: unknown): unknown => mapped(original, text, isHiddenByName);
  return {
    text,
    value,
    error: (error) => cleanError(error, { text, value }),
    data<Value>(original: Value): Value {
      const known = [...secrets()].filter(({ length }) => length >= MIN_SECRET);
      if (known.length === 0) return original;
      // Only texts change, and they stay texts.
      return mapped(original, (each) => clearedOf(each, known), isNeverHidden) as Value;
    },
  };
}
