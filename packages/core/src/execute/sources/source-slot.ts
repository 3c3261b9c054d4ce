import { agentErrorCode, errorFromUnknown, fail } from "../../envelope/index.ts";
import type { AttemptMeta, CallError, ErrorCode, Route } from "../../envelope/index.ts";
import type { Origin } from "../../operation/index.ts";
import type { AttachedSource, Collision, Source } from "../../source/index.ts";

type Listed = ReturnType<Source["list"]>;

/** A failed source is retried when a call needs it, but at most once in this time. */
const RETRY_MS = 5_000;
const MAX_REASON = 200;

/** Error codes of a source that a call reports unchanged. */
const SAME: ReadonlySet<ErrorCode> = new Set(["AUTH", "POLICY", "NOT_READY", "RATE_LIMIT"]);
/** Error codes that mean that the source itself is broken. A retry does not help. */
const BROKEN: ReadonlySet<ErrorCode> = new Set([
  "VALIDATION",
  "NOT_FOUND",
  "CONFLICT",
  "TOO_LARGE",
  "ADAPTER_UNSUPPORTED",
]);

function codeFor(code: ErrorCode): ErrorCode {
  if (SAME.has(code)) return code;
  return BROKEN.has(code) ? "ADAPTER_UNSUPPORTED" : "NETWORK";
}

const skipped = new WeakMap<CallError, AttemptMeta>();

/** The skipped attempt of a call that failed because its source is unavailable. */
export function attemptOfUnavailable(error: CallError): AttemptMeta | undefined {
  return skipped.get(error);
}

/** The error for an operation whose source could not be read. */
function unavailable(
  { name, route = "local" }: Source,
  why: CallError,
  near: readonly string[],
): CallError {
  const code = codeFor(agentErrorCode(why));
  const { hint, retry_after_ms } = why.details;
  const error = fail(
    code,
    `The source ${name} cannot be used: ${why.message}`,
    {
      outcome: "not_applied",
      ...(hint !== undefined && { hint }),
      ...(near.length > 0 && { did_you_mean: near }),
      ...(retry_after_ms !== undefined && { retry_after_ms }),
    },
    { cause: why },
  );
  const error_code = code === "NETWORK" ? "SOURCE_DOWN" : code;
  skipped.set(error, { route, status: "skipped", error_code, duration_ms: 0 });
  return error;
}

/** The state of a source. */
export interface SourceState {
  /** The name of the source. */
  readonly name: string;
  /** The route of its operations, if it is the same for all. */
  readonly route: Route | undefined;
  /** `unknown` until the source has answered. */
  readonly state: "up" | "down" | "unknown";
  /** Number of the source's operations; undefined while it is not known. */
  readonly operations: number | undefined;
  /** Who configured the source. */
  readonly origin: Origin;
  /** False while the source is not read because its user does not trust it yet. */
  readonly trusted: boolean;
  /** Operations that got a longer id, because another source has their id. */
  readonly collisions: readonly Collision[];
  /** Why the source is down, and since when, in milliseconds since the epoch. */
  readonly problem: { readonly message: string; readonly at: number } | undefined;
}

/**
 * The stages of loading a source: not requested, requested, answered, registering its
 * operations, registered, failed.
 */
type Stage = "new" | "asked" | "answered" | "entering" | "in" | "down";

/** One source and its loading state. */
export class SourceSlot {
  readonly source: Source;
  attached: AttachedSource | undefined;
  /** Resolves when the source has answered or failed. */
  answered: Promise<void> = Promise.resolve();
  #stage: Stage = "new";
  #listed: Listed | undefined;
  #failure: CallError | undefined;
  #failedAt = 0;

  constructor(source: Source) {
    this.source = source;
  }

  get stage(): Stage {
    return this.#stage;
  }

  get isToBeAsked(): boolean {
    if (this.#stage === "down") return Date.now() - this.#failedAt >= RETRY_MS;
    return this.#stage === "new";
  }

  /**
   * Whether the source may have the id. The ids of a source begin with its name, except those of
   * cards.
   */
  mayHave(id: string): boolean {
    return id.startsWith(`${this.source.name}.`);
  }

  /** Requests the operations of the source. Resolves when it has answered or failed. */
  ask(): Promise<void> {
    this.#stage = "asked";
    const listed = new Promise<Awaited<Listed>>((resolve) => resolve(this.source.list()));
    this.#listed = listed;
    const settle = (): void => {
      this.#stage = "answered";
    };
    return (this.answered = listed.then(settle, settle));
  }

  /** Registers the listed operations, or throws the error of the source. */
  async enter(attach: (listed: Listed) => Promise<AttachedSource>): Promise<AttachedSource> {
    this.#stage = "entering";
    try {
      this.attached = await attach(this.#listed!);
      this.#stage = "in";
      return this.attached;
    } catch (thrown) {
      throw this.#fail(thrown);
    } finally {
      this.#listed = undefined;
    }
  }

  /** Whether the operations are listed but not loaded yet. */
  get isToBeLoaded(): boolean {
    return this.#stage === "in" && this.source.isLoaded === false;
  }

  /** A source whose operations cannot be loaded is down, like a source that cannot be listed. */
  async load(): Promise<void> {
    try {
      await this.attached?.load();
    } catch (thrown) {
      this.attached?.forget();
      this.#fail(thrown);
    }
  }

  #fail(thrown: unknown): CallError {
    this.#stage = "down";
    this.#failedAt = Date.now();
    return (this.#failure = errorFromUnknown(thrown));
  }

  get state(): SourceState {
    const { name, route, origin = "program" } = this.source;
    const { size, collisions = [] } = this.attached ?? {};
    const trusted = this.code !== "POLICY";
    const facts = { name, route, origin, trusted, operations: size, collisions };
    if (this.#stage === "in") return { ...facts, state: "up", problem: undefined };
    if (this.#stage !== "down") return { ...facts, state: "unknown", problem: undefined };
    const problem = this.#failure && { message: this.#failure.message, at: this.#failedAt };
    return { ...facts, state: "down", problem };
  }

  /** The error code of the source's failure. */
  get code(): ErrorCode | undefined {
    return this.#failure && agentErrorCode(this.#failure);
  }

  /** Why the source's operations are missing, in one sentence. */
  get reason(): string {
    const { name } = this.source;
    if (this.#stage === "asked") return `The source ${name} has not answered.`;
    return `The source ${name} cannot be used: ${this.#failure?.message.slice(0, MAX_REASON)}.`;
  }

  /**
   * Why the source's operations are missing, as a new error for each call. It also names similar
   * ids.
   */
  failure(near: readonly string[] = []): CallError | undefined {
    if (this.#stage === "asked") {
      return unavailable(this.source, fail("NETWORK", "it has not answered yet. Call again"), near);
    }
    return this.#stage === "down" ? unavailable(this.source, this.#failure!, near) : undefined;
  }
}
