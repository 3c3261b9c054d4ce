export const REDACTED = "[redacted]";

/** Patterns that are always secrets. */
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
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
];

/** The last part of a name whose value is a secret. */
const NAMES =
  "authorization|api[-_]?keys?|access[-_]?keys?|auth|client[-_]?secrets?|cookies?|credentials?|pass(?:word|wd|phrase)s?|private[-_]?keys?|secrets?|(?:secret[-_]?)?access[-_]?key|tokens?";
/** `key` and `sig` are secret names only in a URL, because they are too common in text. */
const ADDRESS_NAMES = `${NAMES}|key|sig|signature`;

/** Matches a word that announces a secret, and the secret after it. Only the secret is removed. */
const ANNOUNCED: readonly RegExp[] = [
  // Matches a JSON Web Token. The first line finds its three parts before it looks where the token
  // begins, so that a long text with many beginnings is read once.
  new RegExp(
    "(?<![\\w-])(?=[\\w-]{13,}\\.[\\w-]{10,}\\.[\\w-]{5})" +
      "([\\w-]*?\\b)eyJ[\\w-]{10,}\\.[\\w-]{10,}\\.[\\w-]{5,}",
    "g",
  ),
  // Matches an authorization header with its value, for any scheme. A path of words is not a match.
  /(\b(?:proxy-)?authorization["']?\s*[:=]\s*["']?(?:(?:bearer|basic|token|apikey|digest)\s+)?)(?!\/[a-z_/-]{0,40}(?:[\s"',;:.)]|$))[^\s"',;]{3,}(?:\s+[^\s"',;]{8,})?/gi,
  /(\b(?:set-)?cookie["']?\s*[:=]\s*["']?)[^\r\n"']{3,}/gi,
  /(\b(?:bearer|basic)\s+)[\w.~+/=-]{8,}/gi,
  new RegExp(`([?&;](?:[\\w.-]{0,40}[-_.])?(?:${ADDRESS_NAMES})=)[^&\\s"'#]+`, "gi"),
  // Matches name=value and "name": "value", also as a flag. A type or a sentence after a colon
  // is not a match.
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

/**
 * Every pattern contains one of these words. Most strings contain none, so the patterns are
 * rarely built.
 */
const SUSPICIOUS =
  /[\w-]{14,}|auth|key|cookie|credential|pass|secret|token|bearer|basic|sig|:\/\/[^/\s]*@/i;

/** Removes everything that looks like a secret. */
export function redactShapes(text: string): string {
  if (!SUSPICIOUS.test(text)) return text;
  let clean = text;
  for (const shape of SECRET_SHAPES) clean = clean.replace(shape, REDACTED);
  for (const shape of ANNOUNCED) clean = clean.replace(shape, `$1${REDACTED}`);
  return clean;
}

/**
 * Whether a name is one of a secret. True for `accessToken`; false for `tokens_out` and
 * `tokenPresent`.
 */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name.replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2"));
}
