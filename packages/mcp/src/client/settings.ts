import type { HandleStore } from "@waybill/core";
import type { RelayDesk } from "../relay/index.ts";
import type { AddressGuard } from "./addresses.ts";
import type { OAuthSettings } from "./auth/settings.ts";
import type { Isolation, ServerLimits } from "./stdio/isolation.ts";
import type { StateStore } from "./store/state-store.ts";
import type { Tool } from "./tools/tool.ts";

/** A server that is a program on this machine. */
export interface StdioServer {
  readonly command: string;
  readonly args?: readonly string[];
  /**
   * Environment variables, added to the basic variables of every program. `${env:NAME}` is
   * replaced by an environment variable.
   */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /**
   * Limits the memory and processor time of each process of the server. Not supported on Windows.
   */
  readonly limits?: ServerLimits;
  /** Runs the server in a sandbox (bwrap, on Linux) without the home folder and the network. */
  readonly isolated?: boolean | Isolation;
}

/** A server behind a URL, reached with Streamable HTTP. */
export interface HttpServer {
  readonly url: string;
  /** The header values. `${env:NAME}` is replaced by an environment variable. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly auth?: OAuthSettings;
  /** Where the tokens of the server are stored (default: `store`). */
  readonly tokens?: StateStore;
  /** The next step for a caller if the server requires a sign-in. */
  readonly signInHint?: string;
  /** The addresses that the server and its sign-in may have (default: any). */
  readonly guard?: AddressGuard;
}

/** The progress of a tool, for observers. */
export interface ToolProgress {
  readonly operationId: string;
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** A question that a server asks while a tool runs. */
export interface Elicitation {
  readonly mode: "form" | "url";
  readonly message: string;
  /** The fields of a form. */
  readonly requestedSchema?: Readonly<Record<string, unknown>>;
  /** The page that the user must open. */
  readonly url?: string;
}

export interface ElicitationAnswer {
  readonly action: "accept" | "decline" | "cancel";
  readonly content?: Record<string, string | number | boolean | string[]>;
}

/** The tools of a server at the time when its user trusted it. */
export interface TrustedTools {
  /** The differences from the trusted state, by tool name. */
  compare(tools: readonly Tool[]): Promise<ReadonlyMap<string, string>>;
  /** The command with which the user trusts the tools as they are now. */
  readonly command: string;
}

interface SourceSettings {
  /** The first part of every operation's id. */
  readonly name: string;
  /** The protocol version (default: detected on first use and stored). */
  readonly protocol?: "2025-11-25" | "2026-07-28";
  /** Whether to trust the server's statements about the effects of its tools. */
  readonly trusted?: boolean;
  /** The trusted state of the tools. A tool that has changed since then cannot be called. */
  readonly pins?: TrustedTools;
  /**
   * Whether lists show the tools of the server. Hidden tools can still be found by search and
   * called.
   */
  readonly exposed?: boolean;
  /** How long a call may be silent. Progress resets the time (default: 60 s). */
  readonly callTimeoutMs?: number;
  /** The maximum duration of a call, even if it reports progress (default: 1 h). */
  readonly maxCallMs?: number;
  /** How long connecting and listing may take (default: 30 s). */
  readonly connectTimeoutMs?: number;
  /**
   * A connection that was not used for this long is closed until the next call (default: 5 min).
   */
  readonly idleMs?: number;
  /** Longer messages are refused (default: 32 MB). */
  readonly maxMessageBytes?: number;
  /** Stores the server's tools, protocol version and tokens across processes. */
  readonly store?: StateStore;
  /** Lists the tools again, even if they are stored. */
  readonly fresh?: boolean;
  /** Stores binary content. Without it, the content stays in the answer as base64. */
  readonly handles?: HandleStore;
  /**
   * Answers questions that a server asks while a tool runs. Without it, such a call fails with
   * an error.
   */
  readonly elicit?: (question: Elicitation, signal: AbortSignal) => Promise<ElicitationAnswer>;
  /**
   * Passes questions of a server to the client that called the tool, instead of `elicit`. Only a
   * trusted server may use the client's model.
   */
  readonly relay?: RelayDesk;
  readonly onProgress?: (progress: ToolProgress) => void;
  /** The environment from which `${env:NAME}` and the variables of programs are read. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

export type McpSourceSettings = SourceSettings & (StdioServer | HttpServer);

export function isStdio(server: StdioServer | HttpServer): server is StdioServer {
  return "command" in server;
}
