import { createHash } from "node:crypto";
import { readFile, realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isRecord } from "@waybill/core/schema";
import { stateFiles, stateFolder, writePrivate } from "../files/index.ts";
import type { Config, ConfigFile } from "./config.ts";
import type { Environment } from "./find-config.ts";
import type { SourceConfig } from "./source-config.ts";
import { filesDigest, settingFilesDigest } from "./source-files.ts";

/**
 * Settings besides sources that need trust. They decide where state is stored, where calls go,
 * and with which identity.
 */
export const OWN_POWERS = ["state", "hosts", "nats", "http", "packs", "audit"] as const;

/** The trusted parts of one file. */
interface TrustRecord {
  readonly version: 1;
  readonly path: string;
  /** For each source, the digest of its settings and of the local files that they name. */
  readonly sources: Readonly<Record<string, { readonly entry: string; readonly files: string }>>;
  /** Digest of the settings that need trust. */
  readonly settings?: string;
}

/**
 * Whether a part of a file is trusted. `new`: never trusted. `changed`: trusted before, but
 * different since then.
 */
export type TrustState = "trusted" | "new" | "changed";

function digest(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex");
}

/** Sorts the members, so that their order does not change the digest. */
export function entryDigest(source: SourceConfig): string {
  return digest(Object.entries(source).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** The real path of a file, which may not exist yet. */
export async function wherever(path: string): Promise<string> {
  return realpath(path).catch(async () => join(await realpath(dirname(path)), basename(path)));
}

/**
 * The folder of the trust records. No configuration can name it, so that a project cannot
 * provide its own trust records.
 */
export function trustFolder(env: Environment): string {
  return stateFiles(stateFolder(env)).trust;
}

/**
 * The record of a file. Its name is derived from the path, because the same content at another
 * path needs its own decision.
 */
async function recordPath(path: string, env: Environment): Promise<string> {
  const name = createHash("sha256")
    .update(await wherever(path))
    .digest("hex");
  return join(trustFolder(env), name);
}

/** Writes a user's decision to a file that other users cannot read. */
export async function writeRecord(path: string, value: unknown): Promise<void> {
  await writePrivate(path, `${JSON.stringify(value)}\n`);
}

/** The trusted parts of one project's file. */
export class Trust {
  readonly #record: TrustRecord;

  private constructor(record: TrustRecord) {
    this.#record = record;
  }

  static async of(path: string, env: Environment): Promise<Trust> {
    const nothing: TrustRecord = { version: 1, path, sources: {} };
    try {
      const value: unknown = JSON.parse(await readFile(await recordPath(path, env), "utf8"));
      const isOurs = isRecord(value) && value["version"] === 1 && isRecord(value["sources"]);
      // The file may be reached by another path than when it was trusted.
      return new Trust(isOurs ? { ...(value as unknown as TrustRecord), path } : nothing);
    } catch {
      return new Trust(nothing);
    }
  }

  /** Reads files only if the source is trusted and its settings have not changed. */
  async stateOf(name: string, source: SourceConfig): Promise<TrustState> {
    const known = Object.hasOwn(this.#record.sources, name)
      ? this.#record.sources[name]
      : undefined;
    if (known === undefined) return "new";
    if (known.entry !== entryDigest(source)) return "changed";
    const files = await filesDigest(source, dirname(this.#record.path));
    return known.files === files ? "trusted" : "changed";
  }

  async areSettingsTrusted(config: Config): Promise<boolean> {
    if (settingsIn(config).length === 0) return true;
    const { settings } = this.#record;
    return settings !== undefined && settings === (await settingsDigest(config));
  }

  get record(): TrustRecord {
    return this.#record;
  }
}

/** The names of the settings in a file that need trust. */
export function settingsIn(config: Config): string[] {
  return OWN_POWERS.filter((power) => config[power] !== undefined);
}

async function settingsDigest(config: Config): Promise<string> {
  const settings = OWN_POWERS.map((power) => config[power] ?? null);
  return digest([...settings, await settingFilesDigest(config)]);
}

/** The parts of a file to trust. */
export interface Trusted {
  readonly sources: readonly string[];
  readonly settings: boolean;
}

/** Everything in a file that needs trust. */
function allTrusted({ config }: ConfigFile): Trusted {
  return { sources: Object.keys(config.sources ?? {}), settings: true };
}

/** Trusts these parts of a file. The trust ends when they, or the files that they name, change. */
export async function trustConfig(
  file: ConfigFile,
  env: Environment,
  { sources, settings }: Trusted = allTrusted(file),
): Promise<void> {
  const { record } = await Trust.of(file.path, env);
  const config = file.config.sources ?? {};
  const kept = Object.entries(record.sources).filter(([name]) => Object.hasOwn(config, name));
  const added = await Promise.all(
    sources
      .filter((name) => Object.hasOwn(config, name))
      .map(async (name) => {
        const source = config[name]!;
        const files = await filesDigest(source, dirname(file.path));
        return [name, { entry: entryDigest(source), files }] as const;
      }),
  );
  await writeRecord(await recordPath(file.path, env), {
    ...record,
    sources: Object.fromEntries([...kept, ...added]),
    ...(settings && { settings: await settingsDigest(file.config) }),
  } satisfies TrustRecord);
}
