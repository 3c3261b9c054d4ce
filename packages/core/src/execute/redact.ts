import { CallError, isRecord, setOwn } from "../envelope/index.ts";

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
const MAX_CAUSES = 16;

export interface Redactor {
  text(text: string): string;
  /** A copy in which nothing looks like a secret, by value or by name. */
  value(value: unknown): unknown;
  /** A copy of a failure and of all that caused it, stacks included. */
  error(error: CallError): CallError;
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
  const clean = (original: unknown): unknown => value(original);
  return { text, value: clean, error: (error) => cleanError(error, { text, value: clean }) };
}

type Cleaning = Pick<Redactor, "text" | "value">;

/** What stands beside the message of an error, such as `code` or the headers of a request. */
function extrasOf(error: Error, { value }: Cleaning): object {
  const { cause: _cause, details: _details, ...others } = error as Error & { details?: unknown };
  return value({ ...others }) as object;
}

function cleanStack(copy: Error, original: Error, { text }: Cleaning): void {
  const stack = typeof original.stack === "string" ? text(original.stack) : undefined;
  Object.defineProperty(copy, "stack", { value: stack, configurable: true, writable: true });
}

function cleanCause(cause: unknown, cleaning: Cleaning, depth: number): { cause?: unknown } {
  if (cause === undefined || depth > MAX_CAUSES) return {};
  if (!(cause instanceof Error)) return { cause: cleaning.value(cause) };
  const copy = new Error(
    cleaning.text(String(cause.message)),
    cleanCause(cause.cause, cleaning, depth + 1),
  );
  copy.name = String(cause.name);
  Object.assign(copy, extrasOf(cause, cleaning));
  cleanStack(copy, cause, cleaning);
  return { cause: copy };
}

function cleanError(error: CallError, cleaning: Cleaning): CallError {
  const details = cleaning.value(error.details) as CallError["details"];
  const copy = new CallError(
    error.code,
    cleaning.text(error.message),
    details,
    cleanCause(error.cause, cleaning, 1),
  );
  cleanStack(copy, error, cleaning);
  return copy;
}
