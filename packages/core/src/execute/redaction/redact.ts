import { isRecord, setOwn } from "../../envelope/index.ts";
import type { CallError } from "../../envelope/index.ts";
import { hider, MIN_SECRET_LENGTH } from "./known-secrets.ts";
import type { Hide } from "./known-secrets.ts";
import { cleanError } from "./redact-error.ts";
import { isSecretName, REDACTED, redactShapes } from "./secret-shapes.ts";

const MAX_DEPTH = 64;
/** Limit of learned secrets, for a source that renews its token for ever. */
const MAX_LEARNED = 256;

/** Removes secrets from data and text. */
export interface Redactor {
  /** Whether secrets are known by value, or may be. Otherwise `data` changes nothing. */
  readonly knowsSecrets: boolean;
  /** Takes these out from now on, in every form in which they can come back. */
  learn(secrets: Iterable<string>): void;
  /** A text without the secrets in it. */
  text(text: string): string;
  /** A copy in which nothing looks like a secret, by value or by name. */
  value(value: unknown): unknown;
  /**
   * An upstream's answer without the secrets that are known by value. Text that only looks like a
   * secret stays, because a requested file or log must be complete. Returns the same value if there
   * is no secret.
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

/** A copy with every text and secretly named member changed; deeper than allowed, nothing is left. */
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
    // A name may be a secret too: of a map from tokens to whatever they are for.
    const shown = name.length < MIN_SECRET_LENGTH ? name : text(name);
    setOwn(clean, shown, hidden ? REDACTED : mapped(member, text, isHidden, depth + 1));
  }
  return clean;
}

/** Whether a copy would differ. Most answers hold no secret, and copying costs more than looking. */
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

/** The secrets that can be looked for: what was learned last, and what is known elsewhere. */
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

  /**
   * Undefined where there is nothing to look for. Made again only when the secrets have changed.
   */
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
 * Takes out whatever looks like a secret, and every secret that is known by its value.
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
export function createRedactor(secrets?: () => Iterable<string>): Redactor {
  const known = new SecretSet(secrets ?? (() => []));
  const text = (original: string): string => redactShapes(known.hide?.(original) ?? original);
  const value = (original: unknown): unknown => mapped(original, text, isHiddenByName);
  const redactor = {
    // A plain field, because every answer reads it.
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
      // Only strings change, and they stay strings.
      return mapped(original, hide, isNeverHidden) as Value;
    },
  };
  return redactor;
}
