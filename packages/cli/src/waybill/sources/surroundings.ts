import type { AllowPrivate, DocumentCache, HttpTransport } from "@waybill/adapters/http";
import type { HandleStore } from "@waybill/core";
import type { LimitStore, ProgramRunner } from "@waybill/core/cards";
import type { McpOffers } from "@waybill/mcp/client";
import type { EffectiveConfig } from "@waybill/state";
import type { Connectable, SignedIn } from "../../connect/signed-in.ts";
import { version } from "../../version.ts";
import type { Secrets } from "./secrets.ts";

/** The environment of a source. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where programs run that no other folder is given for. */
  readonly cwd: string;
  /** The way out to HTTP, which leads to this machine's network only where it may. */
  readonly transport: (allowPrivate: AllowPrivate | undefined) => HttpTransport;
  /** Where the rate limits of upstream accounts are kept, for all processes. */
  readonly limits: LimitStore;
  /** Whether what is remembered of a source is to be asked for anew. */
  readonly isFresh: boolean;
  /** Remembers descriptions and schemas that were fetched. */
  readonly documents: DocumentCache;
  /** Told when what is kept of a source should be read again. */
  readonly onOldIndex: () => void;
  /** Whether this process stays, and has to notice what changes. */
  readonly isLasting: boolean;
  /** Whether what MCP servers ask is passed on to MCP clients. */
  readonly relaysQuestions: boolean;
  /** Whether MCP servers stay open however long they are not used, with what they remember. */
  readonly keepsServers: boolean;
  /** Resources and prompts of the MCP servers that were opened, for a server of ours. */
  readonly offers: McpOffers[];
  readonly handles: HandleStore;
  /** Runs the programs of cards; what that takes is loaded by the first of them. */
  readonly programs: ProgramRunner;
  /** Folder for what outlives a call. */
  readonly state: string;
  readonly secrets: Secrets;
  /** Where the sources are configured. */
  readonly places: EffectiveConfig["places"];
  /** The connected account of a source; its token is kept out of every answer. */
  readonly signedIn: (name: string, config: Connectable) => Promise<SignedIn | undefined>;
  /** Shows a person the page to sign in at. */
  readonly signIn: (page: URL) => Promise<void>;
}

export function userAgent(): string {
  return `waybill/${version()}`;
}
