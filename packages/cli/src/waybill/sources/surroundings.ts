import type { AllowPrivate, DocumentCache, HttpTransport } from "@waybill/adapters/http";
import type { HandleStore } from "@waybill/core";
import type { LimitStore, ProgramRunner } from "@waybill/core/cards";
import type { McpOffers } from "@waybill/mcp/client";
import type { EffectiveConfig } from "@waybill/state";
import type { Connectable, SignedIn } from "../../connect/signed-in.ts";
import { version } from "../../version.ts";
import type { Secrets } from "./secrets.ts";

/** The dependencies of a source. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder in which programs run by default. */
  readonly cwd: string;
  /** The HTTP transport. It reaches only the given private addresses. */
  readonly transport: (allowPrivate: AllowPrivate | undefined) => HttpTransport;
  /** The rate limits of upstream accounts, shared by all processes. */
  readonly limits: LimitStore;
  /** Whether to ignore stored operations and documents. */
  readonly isFresh: boolean;
  /** Caches fetched descriptions and schemas. */
  readonly documents: DocumentCache;
  /** Called when a stored index is old and should be read again. */
  readonly onOldIndex: () => void;
  /** Whether the process keeps running and has to notice changes. */
  readonly isLasting: boolean;
  /** Whether questions of MCP servers are passed to MCP clients. */
  readonly relaysQuestions: boolean;
  /**
   * Whether MCP servers stay open even if they are idle for long, so that they keep their state.
   */
  readonly keepsServers: boolean;
  /** Resources and prompts of the opened MCP servers, which our own server can offer. */
  readonly offers: McpOffers[];
  readonly handles: HandleStore;
  /** Runs the programs of cards. Its code is loaded by the first program. */
  readonly programs: ProgramRunner;
  /** The folder for data that is kept between calls. */
  readonly state: string;
  readonly secrets: Secrets;
  /** The configuration file that each source comes from. */
  readonly places: EffectiveConfig["places"];
  /** The connected account of a source. Its token is removed from every answer. */
  readonly signedIn: (name: string, config: Connectable) => Promise<SignedIn | undefined>;
  /** Shows a person the sign-in page. */
  readonly signIn: (page: URL) => Promise<void>;
}

export function userAgent(): string {
  return `waybill/${version()}`;
}
