import type { HandleStore, Waybill, WaybillOptions } from "@waybill/core";
import type { McpOffers } from "@waybill/mcp/client";
import type { Audit, AuditConfig, CallSurface, EffectiveConfig, History } from "@waybill/state";
import type { Io } from "../io.ts";

/** Options for a Waybill that is used by more than one command. */
export interface Served extends Pick<WaybillOptions, "schemas"> {
  /** The journal that several workers share. */
  readonly journal?: NonNullable<WaybillOptions["journal"]>;
  /** Whether calls are recorded even if the configuration does not say so. */
  readonly isRecorded?: boolean;
  /** The surface that calls come in through (default: that of `run`). */
  readonly via?: CallSurface;
  /** The audit log, instead of the configured one. */
  readonly audit?: AuditConfig | undefined;
  /** The secrets that callers or workers of this process sign in with. */
  readonly doorSecrets?: readonly string[];
  /** Whether the Waybill stays open for later commands. */
  readonly isWarm?: boolean;
  /** Whether the command itself reports the sources that are missing from its answer. */
  readonly namesMissing?: boolean;
}

/** The configuration and the stores of a Waybill. */
export interface Opened {
  readonly config: EffectiveConfig;
  /** The store that records calls; undefined if calls are not recorded. */
  readonly history: History | undefined;
  /** The audit log; undefined if there is none. */
  readonly audit: Audit | undefined;
  /** Stores files and long results of calls. */
  readonly handles: HandleStore;
  /** Resources and prompts of MCP servers that the policy allows. */
  readonly upstream: readonly McpOffers[];
  /**
   * The name of the caller for the history. A server sets it when it learns the name of its client.
   */
  readonly client: { readonly session: string | undefined; agent?: string };
}

/** A Waybill with its parts, and a function that closes it. */
export interface OpenedWaybill {
  readonly waybill: Waybill;
  readonly opened: Opened;
  readonly close: (io: Io) => Promise<void>;
}
