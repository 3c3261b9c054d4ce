import { isRecord, setOwn } from "../../envelope/index.ts";
import type { CallError } from "../../envelope/index.ts";
import { folderHider } from "./hide-folders.ts";
import { hider, MIN_SECRET_LENGTH } from "./known-secrets.ts";
import type { Hide } from "./known-secrets.ts";
import { cleanError } from "./redact-error.ts";
import { isSecretName, REDACTED, redactShapes } from "./secret-shapes.ts";

const MAX_DEPTH = 64;
/** The maximum number of learned secrets, because a source may renew its token many times. */
const MAX_LEARNED = 256;

/** Removes secrets from data and text. */
export interface Redactor {
  /** Whether any secret values are known. If not, `data` changes nothing. */
  readonly knowsSecrets: boolean;
  /** Adds secret values to remove from now on, in every form in which a server may return them. */
  learn(secrets: Iterable<string>): void;
  /** Returns the text without secrets. */
  text(text: string): string;
  /** A copy without anything that looks like a secret, by value or by name. */
  value(value: unknown): unknown;
  /**
   * An upstream's answer without the secrets that are known by value. Text that only looks like a
   * secret stays, because a requested file or log must be complete. Returns the same value if there
   * is no secret.
   */
  data<Value>(value: Value): Value;
  /** A copy of an error and its causes, including stacks, without secrets. */
  error(error: CallError): CallError;
}

/** Numbers and booleans are not secrets. With a secret-like name they are a count or a flag. */
function isTelling(value: unknown): boolean {
  return (
    (typeof value === "string" && value !== "") || (typeof value === "object" && value !== null)
  );
}

/**
 * A copy with every string cleaned and every member with a secret name removed. Values below the
 * maximum depth are removed.
 */
function mapped(
  original: unknown,
  text: Hide,
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
    // A name may be a secret too, as in a map whose keys are tokens.
    const shown = name.length < MIN_SECRET_LENGTH ? name : text(name);
    setOwn(clean, shown, hidden ? REDACTED : mapped(member, text, isHidden, depth + 1));
  }
  return clean;
}

/**
 * Whether redacting would change the value. Most answers have no secret, and copying is slower
 * than checking.
 */
function wouldChange(value: unknown, hide: Hide, depth = 0): boolean {
  if (typeof value === "string") return hide(value) !== value;
  if (typeof value !== "object" || value === null) return false;
  if (depth > MAX_DEPTH) return true;
  if (Array.isArray(value)) return value.some((item) => wouldChange(item, hide, depth + 1));
  if (!isRecord(value)) return false;
  return Object.keys(value).some(
    (name) => hide(name) !== name || wouldChange(value[name], hide, depth + 1),
  );
}

function isHiddenByName(name: string, member: unknown): boolean {
  return isTelling(member) && isSecretName(name);
}

const isNeverHidden = (): boolean => false;

/** The secrets to search for: learned values and those of the caller's list. */
class SecretSet {
  readonly #elsewhere: () => Iterable<string>;
  readonly #learned = new Set<string>();
  #current: readonly string[] = [];
  #hide: Hide | undefined;

  constructor(elsewhere: () => Iterable<string>) {
    this.#elsewhere = elsewhere;
  }

  learn(secrets: Iterable<string>): void {
    for (const secret of secrets) {
      this.#learned.delete(secret);
      if (secret.length >= MIN_SECRET_LENGTH) this.#learned.add(secret);
    }
    const [oldest] = this.#learned;
    if (this.#learned.size > MAX_LEARNED) this.#learned.delete(oldest!);
  }

  /** Undefined if there is nothing to search for. Rebuilt only when the secrets have changed. */
  get hide(): Hide | undefined {
    const known = [...this.#elsewhere(), ...this.#learned].filter(
      (secret) => secret.length >= MIN_SECRET_LENGTH,
    );
    const isSame =
      known.length === this.#current.length &&
      known.every((secret, index) => secret === this.#current[index]);
    if (!isSame) {
      this.#current = known;
      this.#hide = known.length === 0 ? undefined : hider(known);
    }
    return this.#hide;
  }
}

/**
 * Creates a redactor. It removes everything that looks like a secret, and every secret known by its
 * value. In text and errors, paths inside the hidden folders become relative.
 *
 * @example
 * ```ts
 * import { createRedactor } from "@waybill/core";
 *
 * const redactor = createRedactor(() => ["hunter2hunter2"]);
 * console.log(redactor.text("The password is hunter2hunter2"));
 * ```
 *
 * ```text
 * The password is [redacted]
 * ```
 */
export function createRedactor(
  secrets?: () => Iterable<string>,
  hiddenFolders: readonly string[] = [],
): Redactor {
  const known = new SecretSet(secrets ?? (() => []));
  const hideFolders = folderHider(hiddenFolders);
  const text = (original: string): string =>
    hideFolders(redactShapes(known.hide?.(original) ?? original));
  const value = (original: unknown): unknown => mapped(original, text, isHiddenByName);
  const redactor = {
    // Uses a plain property instead of a getter, because every answer reads it.
    knowsSecrets: secrets !== undefined,
    learn(learned: Iterable<string>): void {
      known.learn(learned);
      redactor.knowsSecrets = true;
    },
    text,
    value,
    error: (error: CallError) => cleanError(error, { text, value }),
    data<Value>(original: Value): Value {
      const { hide } = known;
      if (hide === undefined || !wouldChange(original, hide)) return original;
      // The type stays the same, because only strings are changed.
      return mapped(original, hide, isNeverHidden) as Value;
    },
  };
  return redactor;
}
