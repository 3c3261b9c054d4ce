/** Which requests a fault is for; what is left out matches everything. */
export interface FaultMatch {
  readonly method?: string;
  /** The path without a host or an enterprise prefix: a whole path, or a pattern. */
  readonly path?: string | RegExp;
  /** GraphQL: the name of the operation, or of a field at its root such as createIssue. */
  readonly operation?: string;
  /** Whether it may change something: a mutation, or any method of REST that does not only read. */
  readonly isWrite?: boolean;
}

/** Whether the request did its work before it went wrong. */
export type Moment = "before" | "after";

export type FaultKind =
  /** Another status than the true one, with GitHub's usual body unless one is given. */
  | {
      readonly kind: "status";
      readonly status: number;
      readonly when?: Moment;
      readonly body?: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** Nothing is wrong, it only takes time. */
  | { readonly kind: "delay" }
  /** The connection ends without an answer. */
  | { readonly kind: "drop"; readonly when?: Moment }
  | {
      readonly kind: "rate-limit";
      readonly limit: "primary" | "secondary";
      readonly retryAfter?: number;
    }
  /** 200, and a page instead of JSON, as a proxy would send it. */
  | { readonly kind: "garbage" }
  /** The true answer, which ends in the middle. */
  | { readonly kind: "cut"; readonly bytes?: number };

export type Fault = FaultKind & {
  /** If there are several, one match is enough. */
  readonly match?: FaultMatch | readonly FaultMatch[];
  /** How many requests it hits; one if not said. */
  readonly times?: number;
  /** How long to wait first. */
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

/** Faults in the order they were injected; each is used up. */
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
