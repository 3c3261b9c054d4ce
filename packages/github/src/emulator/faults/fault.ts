/** Selects the requests that a fault applies to. An omitted member matches everything. */
export interface FaultMatch {
  readonly method?: string;
  /** The path without host or enterprise prefix: an exact string, or a regular expression. */
  readonly path?: string | RegExp;
  /** For GraphQL, the name of the operation or of one of its root fields, such as createIssue. */
  readonly operation?: string;
  /**
   * Whether the request may change something: a mutation, or a REST method other than GET and HEAD.
   */
  readonly isWrite?: boolean;
}

/** Whether the fault happens before or after the request took effect. */
export type Moment = "before" | "after";

export type FaultKind =
  /** Answers with an error status, and with GitHub's usual body (default) or the given one. */
  | {
      readonly kind: "status";
      readonly status: number;
      readonly when?: Moment;
      readonly body?: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** Sends the correct answer after a delay. */
  | { readonly kind: "delay" }
  /** Closes the connection without an answer. */
  | { readonly kind: "drop"; readonly when?: Moment }
  | {
      readonly kind: "rate-limit";
      readonly limit: "primary" | "secondary";
      readonly retryAfter?: number;
    }
  /** Status 200 with an HTML page instead of JSON, as a proxy sends it. */
  | { readonly kind: "garbage" }
  /** Sends the correct answer, but cuts it off in the middle. */
  | { readonly kind: "cut"; readonly bytes?: number };

export type Fault = FaultKind & {
  /** The requests that the fault applies to. If there are several filters, one match is enough. */
  readonly match?: FaultMatch | readonly FaultMatch[];
  /** How many requests the fault affects (default: 1). */
  readonly times?: number;
  /** The delay before the fault, in milliseconds. */
  readonly delayMs?: number;
};

export interface FaultTarget {
  readonly method: string;
  readonly path: string;
  readonly operations: readonly string[];
  readonly isWrite: boolean;
}

function matchesRequest(
  { method, path, operation, isWrite }: FaultMatch,
  target: FaultTarget,
): boolean {
  if (isWrite !== undefined && isWrite !== target.isWrite) return false;
  if (method !== undefined && method.toUpperCase() !== target.method) return false;
  if (typeof path === "string" && path !== target.path) return false;
  if (path instanceof RegExp && !path.test(target.path)) return false;
  return operation === undefined || target.operations.includes(operation);
}

function isFor({ match = {} }: Fault, target: FaultTarget): boolean {
  return [match].flat().some((one) => matchesRequest(one, target));
}

/** The injected faults, in order. Each one is removed after it was used. */
export class Faults {
  readonly #waiting: { readonly fault: Fault; left: number }[] = [];

  inject(fault: Fault): void {
    this.#waiting.push({ fault, left: fault.times ?? 1 });
  }

  clear(): void {
    this.#waiting.length = 0;
  }

  take(target: FaultTarget): Fault | undefined {
    const found = this.#waiting.find(({ fault, left }) => left > 0 && isFor(fault, target));
    if (found === undefined) return undefined;
    found.left -= 1;
    return found.fault;
  }
}
