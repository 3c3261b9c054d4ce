import type { WaybillOptions } from "@waybill/core";
import type { HttpConfig } from "./http-config.ts";
import type { SourceConfig } from "./source-config.ts";

export type PolicyConfig = NonNullable<WaybillOptions["policy"]>;

/** What a `waybill.config.json` may say. */
export interface Config {
  readonly sources?: Readonly<Record<string, SourceConfig>>;
  readonly policy?: PolicyConfig;
  /** Which operations of the sources lists show. */
  readonly expose?: readonly string[];
  /** Folder for what outlives a call. */
  readonly state?: string;
  readonly http?: HttpConfig;
}

/** A file as it was read: its settings belong to exactly these bytes. */
export interface ConfigFile {
  readonly path: string;
  /** sha256 of the content, in hex. */
  readonly digest: string;
  readonly config: Config;
}

/** The settings that count here, from all files together. */
export interface EffectiveConfig {
  readonly sources: Readonly<Record<string, SourceConfig>>;
  readonly policy: PolicyConfig;
  readonly expose?: readonly string[];
  /** Absolute. */
  readonly state: string;
  readonly http?: HttpConfig;
  /** What was left out, and what to do about it. */
  readonly warnings: readonly string[];
}
