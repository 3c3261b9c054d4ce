import { CallError } from "../../envelope/index.ts";

const MAX_CAUSES = 16;

interface Cleaning {
  readonly text: (text: string) => string;
  readonly value: (value: unknown) => unknown;
}

/** Members of an error besides its message, such as `code` or the headers of a request. */
function readExtras(error: Error, { value }: Cleaning): object {
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
  Object.assign(copy, readExtras(cause, cleaning));
  cleanStack(copy, cause, cleaning);
  return { cause: copy };
}

/** A copy of an error and its causes, including stacks, without secrets. */
export function cleanError(error: CallError, cleaning: Cleaning): CallError {
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
