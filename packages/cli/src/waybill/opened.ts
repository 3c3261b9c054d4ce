import type { HandleStore, Waybill, WaybillOptions } from "@waybill/core";
import type { McpOffers } from "@waybill/mcp/client";
import type { Audit, AuditConfig, CallSurface, EffectiveConfig, History } from "@waybill/state";
import type { Io } from "../io.ts";

/** How a Waybill is used, where that differs from one call of a command. */
export interface Served extends Pick<WaybillOptions, "schemas"> {
  /** The journal that a worker shares with others. */
  readonly journal?: NonNullable<WaybillOptions["journal"]>;
  /** Whatever the configuration says of history. */
  readonly isRecorded?: boolean;
  /** How calls come in (default: as those of `run`). */
  readonly via?: CallSurface;
  /** The file in which who calls what is recorded, instead of the configured one. */
  readonly audit?: AuditConfig | undefined;
  /** It stays open for later commands. */
  readonly isWarm?: boolean;
  /** The command itself names the sources that are missing from its answer. */
  readonly namesMissing?: boolean;
}

/** The configuration and the stores of a Waybill. */
export interface Opened {
  readonly config: EffectiveConfig;
  /** Where its calls are kept, if they are. */
  readonly history: History | undefined;
  /** Records who calls what, where that is requested. */
  readonly audit: Audit | undefined;
  /** Keeps files and long results of calls. */
  readonly handles: HandleStore;
  /** Resources and prompts of MCP servers that policy lets a client of ours have. */
  readonly upstream: readonly McpOffers[];
  /** Who calls, for the history; a server that learns the name of its client sets it. */
  readonly client: { readonly session: string | undefined; agent?: string };
}

/** A Waybill, what it was opened with, and how to end it. */
export interface OpenedWaybill {
  readonly waybill: Waybill;
  readonly opened: Opened;
  readonly close: (io: Io) => Promise<void>;
}
