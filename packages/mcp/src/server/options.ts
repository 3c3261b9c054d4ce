import type { HandleStore, ResultEnvelope, Waybill } from "@waybill/core";
import type { McpOffers } from "../relay/index.ts";
import type { Toolbox } from "./toolbox.ts";

/** Runs programs with a Waybill. The package `@waybill/code` implements it. */
export interface CodeDoor {
  /** Never throws. `caller` is the id of the identity; "" for the program itself. */
  run(
    waybill: Waybill,
    program: string | undefined,
    options: Readonly<Record<string, unknown>>,
    caller: string,
  ): Promise<ResultEnvelope>;
  /** Writes an answer in few tokens. */
  text(result: ResultEnvelope): string;
}

/** The options that all transports share. */
export interface McpServerOptions {
  readonly waybill: Waybill;
  readonly version: string;
  /**
   * Ids or patterns such as `issue.*`. Each matching capability gets its own tool, in addition
   * to the four tools.
   */
  readonly tools?: readonly string[];
  /**
   * Whether the tools of `tools` also have an output schema and structured content. The data is
   * then sent twice, for clients that read only structured content (default: false).
   */
  readonly structured?: boolean;
  /** Additional tools that another package provides. */
  readonly toolbox?: Toolbox;
  /** The tool `code`, which runs programs. */
  readonly code?: CodeDoor;
  /** Whether `code` and the toolbox are served without the four tools (default: false). */
  readonly withoutFourTools?: boolean;
  /**
   * The handle store of the Waybill, so that images, audio and files of answers reach the client.
   */
  readonly handles?: HandleStore;
  /** Other servers whose resources and prompts are offered too. */
  readonly upstream?: readonly McpOffers[];
  /** Instructions for the tools, offered as the prompt `waybill`. */
  readonly skill?: string;
  /** Token limit of an answer if the call sets none (default: 10,000). */
  readonly maxTokens?: number;
  /** Whether answers omit obvious fields, except with a trace. */
  readonly brief?: boolean;
  /** Interval of progress notifications, for calls that ask for them (default: 5 s). */
  readonly progressMs?: number;
}

export const DEFAULT_MAX_TOKENS = 10_000;
export const DEFAULT_PROGRESS_MS = 5_000;
