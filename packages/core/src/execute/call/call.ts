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

/**
 * Operation ids are shorter than this. A longer one is cut, so that it does not fill the answer.
 */
const MAX_ID = 257;

/** Callers may send an id of any type, but the answer needs a string. */
export function idText(id: unknown): string {
  if (typeof id !== "string") return "";
  return id.length <= MAX_ID ? id : id.slice(0, MAX_ID);
}

/** The request of a call besides its params. */
export interface CallRequest extends CallOptions {
  /** Why the options are invalid. */
  readonly refusal?: CallError | undefined;
  /** Whether the answer shows how the call was made. */
  readonly isTraced?: boolean | undefined;
  /** The only route that may be used. */
  readonly route?: Route | undefined;
  readonly page?: PageOptions | undefined;
  /** Names of the requested optional field groups. */
  readonly include?: readonly string[] | undefined;
  /** Whether nothing is sent and the answer shows what would be sent. */
  readonly isDry?: boolean | undefined;
  /** Whether this is a dry run with an incomplete input, which was validated as far as possible. */
  readonly isPending?: boolean | undefined;
  /** The approval token from an earlier refusal. */
  readonly approve?: string | undefined;
  /** The parts of the data to return. */
  readonly select?: readonly string[] | undefined;
  /** Whether rarely needed fields are left out. */
  readonly isBrief?: boolean | undefined;
  readonly query?: string | undefined;
  readonly maxTokens?: number | undefined;
  /** The batch whose requests may be merged with the request of this call. */
  readonly batch?: BatchMember | undefined;
  /**
   * Set for a call that a program makes. The writes of a program are approved together as a
   * list.
   */
  readonly byList?: ListApproval | undefined;
  /** Set for a call that a program makes: how deeply programs are nested around the call. */
  readonly programDepth?: number | undefined;
  /**
   * Whether a call of the same operation made this call as one of its steps. Then the routes run
   * it, not the steps again.
   */
  readonly isOwnStep?: boolean | undefined;
  /** Whether this is a step of a chain that a caller requested. */
  readonly isStep?: boolean | undefined;
}

/** Whether the options request only a part of the answer. */
export function isCut({ select, isBrief, query, maxTokens }: CallRequest): boolean {
  return select !== undefined || isBrief === true || query !== undefined || maxTokens !== undefined;
}

/**
 * Who sees the result: only the program that made the call (`none`), the caller (`answer`), or
 * also an observer (`observer`).
 */
export type Reader = "none" | "answer" | "observer";

/**
 * Whether times are measured. Reading the clock is expensive, so calls of a program get no
 * times, and other callers get them only for failures.
 */
const UNTIMED = -1;
const COARSE = 0;

/** One call: the request, its state and its result. The handler gets it as its context. */
// Rarely used members are declared but not initialised, because a smaller object is created faster.
export class Call extends CallContext {
  readonly params: unknown;
  declare readonly request: CallRequest;
  /** The entries of the call's timeline. Recorded only if there is an observer. */
  declare readonly timeline: Timeline | undefined;
  entry: Entry | undefined;
  schemas: Schemas | undefined;
  /** The validated params, under the names of the schema. */
  input: unknown;
  /** The requested page of a list, and the route that its cursor belongs to. */
  declare page: RequestedPage | undefined;
  declare pageRoute: Route | undefined;
  declare query: Query | undefined;
  /** Whether every step of this call can be repeated without further effect. */
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
  /** The start on the exact clock, or UNTIMED if no times are needed. */
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

  /** Milliseconds since the call was received; 0 if times are not needed. */
  get elapsed(): number {
    return this.#started > 0 ? performance.now() - this.#started : 0;
  }

  /** Milliseconds since the operation was started; rounded if exact times are not needed. */
  get adapterElapsed(): number {
    return this.isDispatched ? this.#now() - this.#dispatched : 0;
  }

  /** Whether the handler or a route was started. */
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

  /**
   * Uses the coarse clock, which is faster than the exact one and good enough for a failed call.
   */
  #now(): number {
    return this.#started === COARSE ? Date.now() : performance.now();
  }
}
