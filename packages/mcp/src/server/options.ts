import type { HandleStore, ResultEnvelope, Waybill } from "@waybill/core";
import type { McpOffers } from "../relay/index.ts";
import type { Toolbox } from "./toolbox.ts";

/** Runs programs over a Waybill; what it is made of is not this package's business. */
export interface CodeDoor {
  /** Never throws. The caller is known by the id of its identity; "" for the program itself. */
  run(
    waybill: Waybill,
    program: string | undefined,
    options: Readonly<Record<string, unknown>>,
    caller: string,
  ): Promise<ResultEnvelope>;
  /** An answer for a reader who pays per token. */
  text(result: ResultEnvelope): string;
}

/** The options that all transports share. */
export interface McpServerOptions {
  readonly waybill: Waybill;
  readonly version: string;
  /** Ids or patterns such as `issue.*`: these are tools of their own, besides the four. */
  readonly tools?: readonly string[];
  /**
   * Whether these also have an output schema and structured content, which says the data twice: for
   * clients that read nothing else (default: false).
   */
  readonly structured?: boolean;
  /** Ready tools, besides. */
  readonly toolbox?: Toolbox;
  /** The tool `code`, which runs programs. */
  readonly code?: CodeDoor;
  /** Whether `code` and the toolbox are served without the four tools (default: false). */
  readonly withoutFourTools?: boolean;
  /** The store of the Waybill, so that images, audio and files of answers reach the client. */
  readonly handles?: HandleStore;
  /** Other servers whose resources and prompts are offered as well. */
  readonly upstream?: readonly McpOffers[];
  /** How to use all this, offered as the prompt `waybill`. */
  readonly skill?: string;
  /** Token limit of an answer whose call names none (default: 10,000). */
  readonly maxTokens?: number;
  /** Answers leave out obvious fields, except with a trace. */
  readonly brief?: boolean;
  /** Interval of progress notifications, for calls that ask for them (default: 5 s). */
  readonly progressMs?: number;
}

export const DEFAULT_MAX_TOKENS = 10_000;
export const DEFAULT_PROGRESS_MS = 5_000;
