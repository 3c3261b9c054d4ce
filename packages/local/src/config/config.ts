import type { WaybillOptions } from "@waybill/core";
import type { HttpConfig } from "./http-config.ts";
import type { NatsConfig } from "./nats-config.ts";
import type { SourceConfig, SourceKind } from "./source-config.ts";

export type PolicyConfig = NonNullable<WaybillOptions["policy"]>;

export const PACKS = ["github", "graph"] as const;
type PackName = (typeof PACKS)[number];

/** What a `waybill.config.json` may say. */
export interface Config {
  readonly sources?: Readonly<Record<string, SourceConfig>>;
  readonly policy?: PolicyConfig;
  /** Which GitHub is meant: a host, or where an embedded one is. */
  readonly hosts?: { readonly github?: string };
  /** Which of the packs that come with Waybill are on; all unless given. */
  readonly packs?: readonly PackName[];
  readonly nats?: NatsConfig;
  /** Which operations of the sources lists show. */
  readonly expose?: readonly string[];
  /** Folder for what outlives a call. */
  readonly state?: string;
  readonly http?: HttpConfig;
  /** Whether single calls are recorded as those of a server are. */
  readonly history?: "on" | "off";
}

/** A file as it was read: its settings belong to exactly these bytes. */
export interface ConfigFile {
  readonly path: string;
  /** sha256 of the content, in hex. */
  readonly digest: string;
  readonly config: Config;
}

/** A source that is not all it could be. */
export interface UntrustedSource {
  readonly kind: SourceKind;
  /** What waits, and the command that lets it count. */
  readonly why: string;
}

/** The settings that count here, from all files together. */
export interface EffectiveConfig {
  readonly sources: Readonly<Record<string, SourceConfig>>;
  readonly policy: PolicyConfig;
  readonly nats?: NatsConfig;
  readonly expose?: readonly string[];
  readonly hosts: NonNullable<Config["hosts"]>;
  readonly packs: readonly PackName[];
  /** Absolute. */
  readonly state: string;
  /** The sources of which something waits for the user's trust in their file. */
  readonly untrusted: Readonly<Record<string, UntrustedSource>>;
  readonly http?: HttpConfig;
  /** On where any file says so: a project cannot end what its user wants recorded. */
  readonly history: "on" | "off";
  /** What was left out, and what to do about it. */
  readonly warnings: readonly string[];
}
