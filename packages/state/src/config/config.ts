import type { WaybillOptions } from "@waybill/core";
import type { HttpConfig } from "./http-config.ts";
import type { NatsConfig } from "./nats-config.ts";
import type { SourceConfig, SourceKind } from "./source-config.ts";

export type PolicyConfig = NonNullable<WaybillOptions["policy"]>;

/** The newest format of the file that this Waybill reads. */
export const CONFIG_VERSION = 1;

export const PACKS = ["github", "graph"] as const;
type PackName = (typeof PACKS)[number];

/** An append-only log file with one line of JSON for each call. */
export interface AuditConfig {
  /** The path. It is relative in the file, and absolute after the file was read. */
  readonly file: string;
}

/** The content of a `waybill.config.json`. */
export interface Config {
  /** The version of the file's format (default: 1). */
  readonly version?: 1;
  readonly sources?: Readonly<Record<string, SourceConfig>>;
  readonly policy?: PolicyConfig;
  /** The GitHub host to use, or the address of an embedded GitHub. */
  readonly hosts?: { readonly github?: string };
  /** The built-in packs to enable (default: all). */
  readonly packs?: readonly PackName[];
  readonly nats?: NatsConfig;
  /** The operations that lists show, as patterns of ids. */
  readonly expose?: readonly string[];
  /** The folder for data that is kept between calls. */
  readonly state?: string;
  readonly http?: HttpConfig;
  /** The audit log: who called what, one line for each call. */
  readonly audit?: AuditConfig;
  /** Whether the calls of single commands are recorded, like those of a server. */
  readonly history?: "on" | "off";
  /** Ids of packs that the user's own sources replace. Only the user's own file may set this. */
  readonly replace?: readonly string[];
}

/** A file, with the digest of its content. */
export interface ConfigFile {
  readonly path: string;
  /** sha256 of the content, in hex. */
  readonly digest: string;
  readonly config: Config;
}

/**
 * A source of a project that the user has not trusted yet. Waybill has not read any of its
 * files.
 */
export interface UntrustedSource {
  readonly kind: SourceKind;
  /** Why the source needs trust. */
  readonly why: string;
  /** The next step: the command that enables the source. */
  readonly hint: string;
}

/** The file that a source is configured in. */
export interface SourceOrigin {
  readonly origin: "user" | "project";
  /** The path of the file. */
  readonly path: string;
}

/** The settings that apply in a folder, merged from all files. */
export interface EffectiveConfig {
  /** The sources that may be used: the user's first, then the project's trusted ones. */
  readonly sources: Readonly<Record<string, SourceConfig>>;
  /** The file of each source, by the source's name. */
  readonly places: Readonly<Record<string, SourceOrigin>>;
  readonly policy: PolicyConfig;
  readonly nats?: NatsConfig;
  readonly expose?: readonly string[];
  readonly hosts: NonNullable<Config["hosts"]>;
  readonly packs: readonly PackName[];
  /** The folder for data that is kept between calls, as an absolute path. */
  readonly state: string;
  /** The project's sources that the user has not trusted yet. */
  readonly untrusted: Readonly<Record<string, UntrustedSource>>;
  readonly http?: HttpConfig;
  /** The user's setting takes precedence, so that a project cannot redirect the audit log. */
  readonly audit?: AuditConfig;
  /** `on` if any file turns it on, so that a project cannot switch off the user's history. */
  readonly history: "on" | "off";
  /** Ids of packs that the user's own sources replace. */
  readonly replace: readonly string[];
  /** Warnings about parts that were ignored, with what to do about them. */
  readonly warnings: readonly string[];
}
