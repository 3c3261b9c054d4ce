import type { WaybillOptions } from "@waybill/core";

export type PolicyConfig = NonNullable<WaybillOptions["policy"]>;

/** A folder of cards, and where their requests go. */
export interface CardsSourceConfig {
  readonly kind: "cards";
  /** Absolute once the file is read; in the file it may be relative to it. */
  readonly folder: string;
  readonly rest?: { readonly baseUrl: string };
  readonly graphql?: { readonly url: string };
  readonly cli?: { readonly program?: "gh"; readonly host?: string };
  /** Where the token is, never the token itself. */
  readonly token?: { readonly env: string };
  /** The host that the token belongs to; it is sent to no other. */
  readonly host?: string;
}

/** What a `waybill.config.json` may say. */
export interface Config {
  readonly sources?: Readonly<Record<string, CardsSourceConfig>>;
  readonly policy?: PolicyConfig;
  /** Folder for what outlives a call. */
  readonly state?: string;
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
  readonly sources: Readonly<Record<string, CardsSourceConfig>>;
  readonly policy: PolicyConfig;
  /** Absolute. */
  readonly state: string;
  /** What was left out, and what to do about it. */
  readonly warnings: readonly string[];
}
