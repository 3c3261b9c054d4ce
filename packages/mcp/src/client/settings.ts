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
  /** Added to the few variables every program needs. `${env:NAME}` stands for a variable here. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Memory and processor time of each of its processes; not on Windows. */
  readonly limits?: ServerLimits;
  /** Runs it in a sandbox (bwrap, on Linux) without the home folder and the network. */
  readonly isolated?: boolean | Isolation;
}

/** A server behind a URL, spoken to by streamable HTTP. */
export interface HttpServer {
  readonly url: string;
  /** `${env:NAME}` stands for a variable here. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly auth?: OAuthSettings;
  /** Where its tokens are kept (default: `store`). */
  readonly tokens?: StateStore;
  /** The next step for a caller when it wants someone to sign in. */
  readonly signInHint?: string;
  /** The addresses that the server and its sign-in may have (default: any). */
  readonly guard?: AddressGuard;
}

/** How a tool's progress reaches who watches. */
export interface ToolProgress {
  readonly operationId: string;
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** A question a server asks while a tool runs. */
export interface Elicitation {
  readonly mode: "form" | "url";
  readonly message: string;
  /** The fields of a form. */
  readonly requestedSchema?: Readonly<Record<string, unknown>>;
  /** Where the user is sent. */
  readonly url?: string;
}

export interface ElicitationAnswer {
  readonly action: "accept" | "decline" | "cancel";
  readonly content?: Record<string, string | number | boolean | string[]>;
}

/** Knows the tools of a server as they were when its user trusted it. */
export interface TrustedTools {
  /** The differences from the trusted state, by tool name. */
  compare(tools: readonly Tool[]): Promise<ReadonlyMap<string, string>>;
  /** The command with which the user trusts the tools as they are now. */
  readonly command: string;
}

interface SourceSettings {
  /** The first part of every operation's id. */
  readonly name: string;
  /** The protocol it speaks; found out and remembered where it is not given. */
  readonly protocol?: "2025-11-25" | "2026-07-28";
  /** Whether to believe what the server says of its tools' effects. */
  readonly trusted?: boolean;
  /** Where given, a tool that is not what it was when it was trusted cannot be called. */
  readonly pins?: TrustedTools;
  /** Shown in lists of capabilities; what is not can still be found by searching, and called. */
  readonly exposed?: boolean;
  /** How long a call may be silent. Progress starts the time again. Default 60 s. */
  readonly callTimeoutMs?: number;
  /** How long a call may take in all, whatever progress it tells. Default an hour. */
  readonly maxCallMs?: number;
  /** How long connecting and listing may take. Default 30 s. */
  readonly connectTimeoutMs?: number;
  /** A connection that nobody used for so long is closed until the next call. Default 5 min. */
  readonly idleMs?: number;
  /** A longer message is refused. Default 32 MB. */
  readonly maxMessageBytes?: number;
  /** Remembers across processes what the server can and speaks, and its tokens. */
  readonly store?: StateStore;
  /** Asks the server for its tools, whatever is remembered of them. */
  readonly fresh?: boolean;
  /** Where binary content is put; without it, it stays in the answer as base64. */
  readonly handles?: HandleStore;
  /** Answers what a server asks while a tool runs; without it such a call fails and says so. */
  readonly elicit?: (question: Elicitation, signal: AbortSignal) => Promise<ElicitationAnswer>;
  /**
   * Passes what a server asks while a tool runs to the client that called it, instead of `elicit`.
   * Only a trusted server may use the client's model.
   */
  readonly relay?: RelayDesk;
  readonly onProgress?: (progress: ToolProgress) => void;
  /** The values of `${env:NAME}` and of the programs' variables. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

export type McpSourceSettings = SourceSettings & (StdioServer | HttpServer);

export function isStdio(server: StdioServer | HttpServer): server is StdioServer {
  return "command" in server;
}
