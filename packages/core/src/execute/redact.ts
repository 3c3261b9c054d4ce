import { isRecord, setOwn } from "../envelope/index.ts";

const REDACTED = "[redacted]";

/** Shapes that are secrets wherever they stand. */
const SECRET_SHAPES: readonly RegExp[] = [
  /\bgh[pousr]_[A-Za-z0-9]{16,}/g,
  /\bgithub_pat_\w{20,}/g,
  /\bglpat-[\w-]{16,}/g,
  /\bxox[abeprs]-[\w-]{10,}/g,
  /\bsk-[A-Za-z0-9_-]{20,}/g,
  /\bA(?:KIA|SIA)[A-Z0-9]{16}\b/g,
  /\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{5,}/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
];

/** A word that announces a secret, and the secret after it, which alone is taken out. */
const ANNOUNCED: readonly RegExp[] = [
  /(\b(?:bearer|basic)\s+)[\w.~+/=-]{8,}/gi,
  /(\bauthorization["']?\s*[:=]\s*["']?(?:token\s+)?)[\w.~+/=-]{8,}/gi,
  /([?&;](?:access_token|api_?key|auth|client_secret|key|password|secret|sig|signature|token)=)[^&\s"'#]+/gi,
  /(:\/\/[^/\s:@]*:)[^/\s@]+(?=@)/g,
];

const SECRET_NAME =
  /^(?:.*[-_.])?(?:authorization|api[-_]?key|client[-_]?secret|cookie|credentials?|pass(?:word|wd|phrase)|private[-_]?key|secret|set-cookie|token)$/i;
const MAX_DEPTH = 64;

export interface Redactor {
  text(text: string): string;
  /** A copy in which nothing looks like a secret, by value or by name. */
  value(value: unknown): unknown;
}

function redactShapes(text: string): string {
  let clean = text;
  for (const shape of SECRET_SHAPES) clean = clean.replace(shape, REDACTED);
  for (const shape of ANNOUNCED) clean = clean.replace(shape, `$1${REDACTED}`);
  return clean;
}

/** `accessToken` is a token; `tokens_out` and `tokenPresent` are not. */
function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name.replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2"));
}

/** Takes out whatever looks like a secret, and every secret that is known by its value. */
export function createRedactor(secrets: () => Iterable<string> = () => []): Redactor {
  const text = (original: string): string => {
    let clean = original;
    for (const secret of secrets()) {
      if (secret.length >= 6) clean = clean.replaceAll(secret, REDACTED);
    }
    return redactShapes(clean);
  };
  const value = (original: unknown, depth = 0): unknown => {
    if (typeof original === "string") return text(original);
    if (depth > MAX_DEPTH) return REDACTED;
    if (Array.isArray(original)) return original.map((item) => value(item, depth + 1));
    return isRecord(original) ? members(original, depth) : original;
  };
  const members = (original: Record<string, unknown>, depth: number): unknown => {
    const clean: Record<string, unknown> = {};
    for (const [name, member] of Object.entries(original)) {
      const isSecret = typeof member === "string" && member !== "" && isSecretName(name);
      setOwn(clean, name, isSecret ? REDACTED : value(member, depth + 1));
    }
    return clean;
  };
  return { text, value: (original) => value(original) };
}
