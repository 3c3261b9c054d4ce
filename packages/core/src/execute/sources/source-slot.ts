import { agentErrorCode, errorFromUnknown, fail } from "../../envelope/index.ts";
import type { AttemptMeta, CallError, ErrorCode, Route } from "../../envelope/index.ts";
import type { Origin } from "../../operation/index.ts";
import type { AttachedSource, Collision, Source } from "../../source/index.ts";

type Listed = ReturnType<Source["list"]>;

/** A source that failed is asked again by a call that needs it, but not by every one. */
const RETRY_MS = 5_000;
const MAX_REASON = 200;

/** Codes that say of a source what they say of a call. */
const SAME: ReadonlySet<ErrorCode> = new Set(["AUTH", "POLICY", "NOT_READY", "RATE_LIMIT"]);
/** Failures of the source itself, which a retry does not fix. */
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

/** The route that was not even tried, for a call that failed because its source did. */
export function attemptOfUnavailable(error: CallError): AttemptMeta | undefined {
  return skipped.get(error);
}

/** Why an operation of a source cannot be called: the source could not be read. */
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

/** How a source stands. */
export interface SourceState {
  /** The name of the source. */
  readonly name: string;
  /** How its operations are called, where that is the same for all. */
  readonly route: Route | undefined;
  /** Unknown until it was asked what it has, and has answered. */
  readonly state: "up" | "down" | "unknown";
  /** Number of its operations; undefined while it is not known. */
  readonly operations: number | undefined;
  /** Who put it here. */
  readonly origin: Origin;
  /** False while nothing of it is read until its user trusts it. */
  readonly trusted: boolean;
  /** Operations that got a longer id, because another source has theirs. */
  readonly collisions: readonly Collision[];
  /** Why it is down, and since when that is known, in milliseconds since the epoch. */
  readonly problem: { readonly message: string; readonly at: number } | undefined;
}

/** Not asked, asked and silent, answered, its operations being taken in, taken in, failed. */
type Stage = "new" | "asked" | "answered" | "entering" | "in" | "down";

/** One source, and how far it has come. */
export class SourceSlot {
  readonly source: Source;
  attached: AttachedSource | undefined;
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

  /** Ids of a source begin with its name, but for those of cards. */
  mayHave(id: string): boolean {
    return id.startsWith(`${this.source.name}.`);
  }

  /** Asks for what it has; resolves when it answered, whatever that was. */
  ask(): Promise<void> {
    this.#stage = "asked";
    const listed = new Promise<Awaited<Listed>>((resolve) => resolve(this.source.list()));
    this.#listed = listed;
    const answered = (): void => {
      this.#stage = "answered";
    };
    return listed.then(answered, answered);
  }

  /** Takes in what it answered, and throws what it failed with. */
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

  /** Its operations are listed, and can be called only after it was loaded. */
  get isToBeLoaded(): boolean {
    return this.#stage === "in" && this.source.isLoaded === false;
  }

  /** A source whose operations cannot be called is down, like one that cannot be listed. */
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
    const { ids, collisions = [] } = this.attached ?? {};
    const trusted = this.code !== "POLICY";
    const facts = { name, route, origin, trusted, operations: ids?.length, collisions };
    if (this.#stage === "in") return { ...facts, state: "up", problem: undefined };
    if (this.#stage !== "down") return { ...facts, state: "unknown", problem: undefined };
    const problem = this.#failure && { message: this.#failure.message, at: this.#failedAt };
    return { ...facts, state: "down", problem };
  }

  /** The error code of its failure. */
  get code(): ErrorCode | undefined {
    return this.#failure && agentErrorCode(this.#failure);
  }

  /** Why what it has is missing, in a sentence. */
  get reason(): string {
    const { name } = this.source;
    if (this.#stage === "asked") return `The source ${name} has not answered.`;
    return `The source ${name} cannot be used: ${this.#failure?.message.slice(0, MAX_REASON)}.`;
  }

  /** Why what it has is missing, as a new error for every call that meets it; with ids like it. */
  failure(near: readonly string[] = []): CallError | undefined {
    if (this.#stage === "asked") {
      return unavailable(this.source, fail("NETWORK", "it has not answered yet"), near);
    }
    return this.#stage === "down" ? unavailable(this.source, this.#failure!, near) : undefined;
  }
}
