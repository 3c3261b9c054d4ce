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

/** Longer ids name nothing, and are not to fill an answer. */
const MAX_ID = 257;

/** From a surface anything may come in, and the answer names a string. */
export function idText(id: unknown): string {
  if (typeof id !== "string") return "";
  return id.length <= MAX_ID ? id : id.slice(0, MAX_ID);
}

/** Everything a caller can ask of a call besides its params. */
export interface CallRequest extends CallOptions {
  /** The error of options that cannot be followed. */
  readonly refusal?: CallError | undefined;
  /** The answer says how the call was made. */
  readonly isTraced?: boolean | undefined;
  /** Only this route. */
  readonly route?: Route | undefined;
  readonly page?: PageOptions | undefined;
  /** Named extra field groups. */
  readonly include?: readonly string[] | undefined;
  /** Nothing is sent; the answer shows what would be. */
  readonly isDry?: boolean | undefined;
  /** A dry run of an input that is not known in full, and was checked as far as it is. */
  readonly isPending?: boolean | undefined;
  /** The text that a refusal gave. */
  readonly approve?: string | undefined;
  /** Parts of the answer that its reader wants. */
  readonly select?: readonly string[] | undefined;
  readonly query?: string | undefined;
  readonly maxTokens?: number | undefined;
  /** The calls that this one may travel with. */
  readonly batch?: BatchMember | undefined;
  /** It is a call of a program, whose writes are approved as a list. */
  readonly byList?: ListApproval | undefined;
  /** It is a step of a call of the same operation, so the routes do it. */
  readonly isOwnStep?: boolean | undefined;
  /** It is a step of a chain that somebody asked for. */
  readonly isStep?: boolean | undefined;
}

/** Whether a call asks for less than all of its answer. */
export function isCut({ select, query, maxTokens }: CallRequest): boolean {
  return select !== undefined || query !== undefined || maxTokens !== undefined;
}

/** Who is told of a call: nobody but the program that made it, a reader, or an observer as well. */
export type Reader = "none" | "answer" | "observer";

/** Clocks cost: a program is told no times, and a reader only those of a failure. */
const UNTIMED = -1;
const COARSE = 0;

/** One call: what was asked, and what has become of it. Its handler sees it as its context. */
// Members that only few calls have are declared and not set: a smaller object is made faster.
export class Call extends CallContext {
  readonly params: unknown;
  declare readonly request: CallRequest;
  /** The course of the call, kept for an observer. */
  declare readonly timeline: Timeline | undefined;
  entry: Entry | undefined;
  schemas: Schemas | undefined;
  /** The params by their proper names, checked. */
  input: unknown;
  /** The page of the upstream's list, and the route that its cursor belongs to. */
  declare page: RequestedPage | undefined;
  declare pageRoute: Route | undefined;
  declare query: Query | undefined;
  /** Whether a call made of steps can run all of them twice with the same effect as once. */
  declare isRepeatable: boolean | undefined;
  /** The attempts over routes, for an operation that has some. */
  declare routed: Routed | undefined;
  /** Where its list continues. */
  declare pagination: ResultMeta["pagination"];
  /** Notices for its reader, however it ends. */
  declare warnings: readonly string[] | undefined;
  /** How it ended: with a response, an error, or a result that was recorded or only described. */
  response: ResponseEnvelope | undefined;
  error: CallError | undefined;
  declare result: ResultEnvelope | undefined;
  /** By the exact clock, or how times are taken. */
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

  /** Whether an observer is told of it. */
  get isWatched(): boolean {
    return this.timeline !== undefined;
  }

  get spec(): OperationSpec | undefined {
    return this.entry?.spec;
  }

  /** Milliseconds since the call came in; 0 if times are not wanted. */
  get elapsed(): number {
    return this.#started > 0 ? performance.now() - this.#started : 0;
  }

  /** Milliseconds since the operation was started; whole ones if times are not wanted. */
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

  /** Ends it with an error. A call that was not started has sent nothing. */
  fail(thrown: unknown): void {
    const error = errorFromUnknown(thrown);
    this.response = undefined;
    this.error = this.isDispatched ? error : notSent(error);
  }

  /** The exact clock costs more than the coarse one, and a failed call needs no more than that. */
  #now(): number {
    return this.#started === COARSE ? Date.now() : performance.now();
  }
}
