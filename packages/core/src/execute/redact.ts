import { isRecord, setOwn } from "../envelope/index.ts";

const REDACTED = "[redacted]";

/** Shapes that are secrets wherever they stand. */
const SECRET_SHAPES: readonly RegExp[] = [
  /\bgh[pousr]_[A-Za-z0-9]{16,}/g,
  /\bgithub_pat_\w{20,}/g,
  /\bglpat-[\w-]{16,}/g,
  /\bxox[abeprs]-[\w-]{10,}/g,
  /\b(?:sk|rk|pk)[-_][A-Za-z0-9_-]{20,}/g,
  /\b(?:npm|hf|dop_v1|shpat|whsec|lin_api|pypi)[-_][A-Za-z0-9_-]{16,}/g,
  /\bSG\.[\w-]{16,}\.[\w-]{16,}/g,
  /\bya29\.[\w-]{20,}/g,
  /\bAIza[\w-]{30,}/g,
  /\bA(?:KIA|SIA)[A-Z0-9]{16}\b/g,
  /\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{5,}/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
];

/** The last part of a name that holds a secret. */
const NAMES =
  "authorization|api[-_]?keys?|access[-_]?keys?|auth|client[-_]?secrets?|cookies?|credentials?|pass(?:word|wd|phrase)s?|private[-_]?keys?|secrets?|(?:secret[-_]?)?access[-_]?key|tokens?";
/** In a text a name alone says little: `key` and `sig` count only in an address. */
const ADDRESS_NAMES = `${NAMES}|key|sig|signature`;

/** A word that announces a secret, and the secret after it, which alone is taken out. */
const ANNOUNCED: readonly RegExp[] = [
  // A header with everything that follows it, whatever scheme comes first.
  /(\b(?:proxy-)?authorization["']?\s*[:=]\s*["']?(?:(?:bearer|basic|token|apikey|digest)\s+)?)[^\s"',;]{3,}(?:\s+[^\s"',;]{8,})?/gi,
  /(\b(?:set-)?cookie["']?\s*[:=]\s*["']?)[^\r\n"']{3,}/gi,
  /(\b(?:bearer|basic)\s+)[\w.~+/=-]{8,}/gi,
  new RegExp(`([?&;](?:[\\w.-]{0,40}[-_.])?(?:${ADDRESS_NAMES})=)[^&\\s"'#]+`, "gi"),
  // name=value and "name": "value", also as a flag; a type or a sentence after a colon is neither.
  new RegExp(
    `((?:^|[\\s"'{,(\`[-])(?:[\\w.-]{0,40}[-_.])?(?:${NAMES})=["']?)[^\\s"'&,;)\`]{3,}`,
    "gi",
  ),
  new RegExp(`(["'](?:[\\w.-]{0,40}[-_.])?(?:${NAMES})["']\\s*:\\s*["'])[^"']{3,}`, "gi"),
  new RegExp(
    `((?:^|[\\s(])(?:x-[\\w-]{0,40})?(?:${NAMES}):\\s*)(?=[^\\s"']{0,200}[0-9_-])[^\\s"',;)]{8,}`,
    "gi",
  ),
  /(:\/\/[^/\s:@]*:)[^/\s@]+(?=@)/g,
  /(:\/\/)[A-Za-z0-9_-]{20,}(?=@)/g,
];

const SECRET_NAME = new RegExp(`^(?:.*[-_.])?(?:${NAMES}|set-cookie)$`, "i");
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
  data(value: unknown): unknown;
}

function redactShapes(text: string): string {
  let clean = text;
  for (const shape of SECRET_SHAPES) clean = clean.replace(shape, REDACTED);
  for (const shape of ANNOUNCED) clean = clean.replace(shape, `$1${REDACTED}`);
  return clean;
}

/** `accessToken` is a token; `tokens_out` and `tokenPresent` are not. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name.replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2"));
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
    setOwn(clean, name, hidden ? REDACTED : mapped(member, text, isHidden, depth + 1));
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
  return {
    text,
    value: (original) => mapped(original, text, isHiddenByName),
    data(original) {
      const known = [...secrets()].filter(({ length }) => length >= MIN_SECRET);
      if (known.length === 0) return original;
      return mapped(original, (each) => clearedOf(each, known), isNeverHidden);
    },
  };
}
