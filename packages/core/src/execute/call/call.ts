import type { Query } from "../../budget/index.ts";
import { errorFromUnknown } from "../../envelope/index.ts";
import type {
  CallError,
  ResponseEnvelope,
  ResultEnvelope,
  ResultMeta,
  Route,
} from "../../envelope/index.ts";
import type { OperationSpec } from "../../operation/index.ts";
import { CallContext } from "../../registry/index.ts";
import type { CallOptions, Entry, Registry, Schemas } from "../../registry/index.ts";
import { Timeline } from "../../router/index.ts";
import type { BatchMember, ListApproval, RequestedPage, Routed } from "../../router/index.ts";
import type { PageOptions } from "../options/execute-options.ts";
import { notSent } from "./not-sent.ts";

/** Longer ids do not exist, and must not fill an answer. */
const MAX_ID = 257;

/** Callers may send an id of any type, but the answer needs a string. */
export function idText(id: unknown): string {
  if (typeof id !== "string") return "";
  return id.length <= MAX_ID ? id : id.slice(0, MAX_ID);
}

/** Everything a caller can ask of a call besides its params. */
export interface CallRequest extends CallOptions {
  /** Why the options cannot be used. */
  readonly refusal?: CallError | undefined;
  /** The answer shows how the call was made. */
  readonly isTraced?: boolean | undefined;
  /** Use only this route. */
  readonly route?: Route | undefined;
  readonly page?: PageOptions | undefined;
  /** Named extra field groups. */
  readonly include?: readonly string[] | undefined;
  /** Sends nothing; the answer shows what would be sent. */
  readonly isDry?: boolean | undefined;
  /** A dry run with an incomplete input, which was validated as far as possible. */
  readonly isPending?: boolean | undefined;
  /** The approval token from an earlier refusal. */
  readonly approve?: string | undefined;
  /** The parts of the data to return. */
  readonly select?: readonly string[] | undefined;
  readonly query?: string | undefined;
  readonly maxTokens?: number | undefined;
  /** The batch of calls whose requests may be merged with this one. */
  readonly batch?: BatchMember | undefined;
  /** Set for a call of a program. The writes of a program are approved as a list. */
  readonly byList?: ListApproval | undefined;
  /** Whether this is a step of a call of the same operation. Then the routes run it. */
  readonly isOwnStep?: boolean | undefined;
  /** Whether this is a step of a chain that a caller requested. */
  readonly isStep?: boolean | undefined;
}

/** Whether a call asks for only a part of its answer. */
export function isCut({ select, query, maxTokens }: CallRequest): boolean {
  return select !== undefined || query !== undefined || maxTokens !== undefined;
}

/**
 * Who sees the result: only the program that made the call (`none`), a reader (`answer`), or an
 * observer too.
 */
export type Reader = "none" | "answer" | "observer";

/**
 * Reading the clock is expensive: a program gets no times, and a reader only those of a failure.
 */
const UNTIMED = -1;
const COARSE = 0;

/** One call: the request, its state and its result. Its handler sees it as its context. */
// Members that few calls have are declared and not set: a smaller object is created faster.
export class Call extends CallContext {
  readonly params: unknown;
  declare readonly request: CallRequest;
  /** Recorded only if there is an observer. */
  declare readonly timeline: Timeline | undefined;
  entry: Entry | undefined;
  schemas: Schemas | undefined;
  /** The params with their proper names, validated. */
  input: unknown;
  /** The page of the upstream's list, and the route that its cursor belongs to. */
  declare page: RequestedPage | undefined;
  declare pageRoute: Route | undefined;
  declare query: Query | undefined;
  /** Whether all steps of this call can run twice with the same effect as once. */
  declare isRepeatable: boolean | undefined;
  /** The attempts of an operation with routes. */
  declare routed: Routed | undefined;
  /** Where the list continues. */
  declare pagination: ResultMeta["pagination"];
  /** Warnings for the reader, whether the call succeeds or fails. */
  declare warnings: readonly string[] | undefined;
  /** How the call ended: with a response, an error, a recorded result, or a dry run. */
  response: ResponseEnvelope | undefined;
  error: CallError | undefined;
  declare result: ResultEnvelope | undefined;
  /** The start by the exact clock, or UNTIMED if no times are needed. */
  readonly #started: number;
  #dispatched = 0;

  constructor(
    id: string,
    params: unknown,
    request: CallRequest,
    registry: Registry,
    reader: Reader,
  ) {
    super(typeof id === "string" && id.length <= MAX_ID ? id : idText(id), registry, request);
    this.params = params;
    if (reader === "observer") this.timeline = new Timeline();
    const isTimed = reader === "observer" || request.isTraced === true;
    this.#started = isTimed ? performance.now() : reader === "none" ? UNTIMED : COARSE;
  }

  /** Whether an observer sees the call. */
  get isWatched(): boolean {
    return this.timeline !== undefined;
  }

  get spec(): OperationSpec | undefined {
    return this.entry?.spec;
  }

  /** Milliseconds since the call came in; 0 if times are not needed. */
  get elapsed(): number {
    return this.#started > 0 ? performance.now() - this.#started : 0;
  }

  /** Milliseconds since the operation was started; rounded if exact times are not needed. */
  get adapterElapsed(): number {
    return this.isDispatched ? this.#now() - this.#dispatched : 0;
  }

  /** Whether the operation was started. */
  get isDispatched(): boolean {
    return this.#dispatched !== 0;
  }

  dispatch(): void {
    this.#dispatched = this.#started === UNTIMED ? 1 : this.#now();
  }

  /** Ends the call with an error. If the operation was not started, nothing was sent. */
  fail(thrown: unknown): void {
    const error = errorFromUnknown(thrown);
    this.response = undefined;
    this.error = this.isDispatched ? error : notSent(error);
  }

  /** The exact clock is slower than the coarse one, which is enough for a failed call. */
  #now(): number {
    return this.#started === COARSE ? Date.now() : performance.now();
  }
}
