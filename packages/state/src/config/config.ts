import type { WaybillOptions } from "@waybill/core";
import type { HttpConfig } from "./http-config.ts";
import type { NatsConfig } from "./nats-config.ts";
import type { SourceConfig, SourceKind } from "./source-config.ts";

export type PolicyConfig = NonNullable<WaybillOptions["policy"]>;

export const PACKS = ["github", "graph"] as const;
type PackName = (typeof PACKS)[number];

/** A file that only grows, with a line of JSON for each call. */
export interface AuditConfig {
  /** Absolute once the file is read. */
  readonly file: string;
}

/** The content of a `waybill.config.json`. */
export interface Config {
  readonly sources?: Readonly<Record<string, SourceConfig>>;
  readonly policy?: PolicyConfig;
  /** Which GitHub is meant: a host, or where an embedded one is. */
  readonly hosts?: { readonly github?: string };
  /** The built-in packs to enable (default: all). */
  readonly packs?: readonly PackName[];
  readonly nats?: NatsConfig;
  /** Which operations of the sources lists show. */
  readonly expose?: readonly string[];
  /** Folder for what outlives a call. */
  readonly state?: string;
  readonly http?: HttpConfig;
  /** Where who called what is recorded, a line for each call. */
  readonly audit?: AuditConfig;
  /** Whether single calls are recorded as those of a server are. */
  readonly history?: "on" | "off";
  /** Ids of packs that the user's own sources take over; counts in the user's file only. */
  readonly replace?: readonly string[];
}

/** A file as it was read: its settings belong to exactly these bytes. */
export interface ConfigFile {
  readonly path: string;
  /** sha256 of the content, in hex. */
  readonly digest: string;
  readonly config: Config;
}

/** A source of a project that its user does not trust. Nothing of it was read. */
export interface UntrustedSource {
  readonly kind: SourceKind;
  /** Why it waits. */
  readonly why: string;
  /** The next step, with the command that enables it. */
  readonly hint: string;
}

/** Where the entry of a source stands. */
export interface SourceOrigin {
  readonly origin: "user" | "project";
  /** The file. */
  readonly path: string;
}

/** The settings that count here, from all files together. */
export interface EffectiveConfig {
  /** Those that may be used: the user's first, then the project's that are trusted. */
  readonly sources: Readonly<Record<string, SourceConfig>>;
  /** By the name of the source. */
  readonly places: Readonly<Record<string, SourceOrigin>>;
  readonly policy: PolicyConfig;
  readonly nats?: NatsConfig;
  readonly expose?: readonly string[];
  readonly hosts: NonNullable<Config["hosts"]>;
  readonly packs: readonly PackName[];
  /** Absolute. */
  readonly state: string;
  /** The sources of the project that wait for the user's trust. */
  readonly untrusted: Readonly<Record<string, UntrustedSource>>;
  readonly http?: HttpConfig;
  /** The user's own where there is one: a project cannot lead it elsewhere. */
  readonly audit?: AuditConfig;
  /** On where any file says so: a project cannot end what its user wants recorded. */
  readonly history: "on" | "off";
  /** Ids of packs that the user's own sources take over. */
  readonly replace: readonly string[];
  /** The parts that were left out, and what to do. */
  readonly warnings: readonly string[];
}
