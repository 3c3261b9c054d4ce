import { createHash, randomUUID } from "node:crypto";
import { readFile, realpath, rename, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { ensurePrivateFolder, stateFolder } from "../state.ts";
import type { Config, ConfigFile } from "./config.ts";
import type { Environment } from "./find-config.ts";
import type { SourceConfig, SourceKind } from "./source-config.ts";
import { trustedDigest } from "./trusted-digest.ts";

/** Where a file really is, or will be. */
async function wherever(path: string): Promise<string> {
  return realpath(path).catch(async () => join(await realpath(dirname(path)), basename(path)));
}

/**
 * One record a file, named after its path: the same content elsewhere would bring other cards with
 * it, and is another decision. The folder is never one that a configuration can name, or a project
 * could bring its own records.
 */
async function recordPath(path: string, env: Environment): Promise<string> {
  const name = createHash("sha256")
    .update(await wherever(path))
    .digest("hex");
  return join(stateFolder(env), "trust", name);
}

/** Lets everything in this file count, as long as it and what it brings stay what they are. */
export async function trustConfig(file: ConfigFile, env: Environment): Promise<void> {
  const record = await recordPath(file.path, env);
  await ensurePrivateFolder(join(record, ".."));
  const part = `${record}.${randomUUID()}.part`;
  const digest = await trustedDigest(file);
  await writeFile(part, `${digest}\n${file.path}\n`, { mode: 0o600 });
  await rename(part, record);
}

export async function isTrusted(file: ConfigFile, env: Environment): Promise<boolean> {
  try {
    const [trusted] = (await readFile(await recordPath(file.path, env), "utf8")).split("\n", 1);
    return trusted === (await trustedDigest(file));
  } catch {
    return false;
  }
}

/** What needs trust of each kind of source: it can hand a secret to somebody, or reach further. */
const POWERS: Readonly<Record<SourceKind, readonly string[]>> = {
  cards: ["token", "cli", "allow_private"],
  openapi: ["credentials", "allow_private"],
  mcp: ["headers", "auth", "trusted", "allow_private"],
  graphql: ["token", "allow_private"],
  command: [],
  nats: ["key", "shared_journal"],
};

/** What needs trust besides sources: where secrets are kept, and where calls go as whose. */
const OWN_POWERS = ["state", "hosts", "nats", "http"] as const;

/** A source that is a program runs it, whatever else it says. */
function isProgram(source: SourceConfig): boolean {
  return source.kind === "command" || (source.kind === "mcp" && source.command !== undefined);
}

function powersOfSource(name: string, source: SourceConfig): string[] {
  if (isProgram(source)) return [`sources.${name}`];
  return POWERS[source.kind]
    .filter((power) => Object.hasOwn(source, power))
    .map((power) => `sources.${name}.${power}`);
}

/** What in a file needs trust. */
export function powersOf({ sources = {}, ...config }: Config): string[] {
  const powers = Object.entries(sources).flatMap(([name, source]) => powersOfSource(name, source));
  return [...powers, ...OWN_POWERS.filter((power) => config[power] !== undefined)];
}

/** The sources of a file that are not all they could be without trust, and what they lack. */
export function needingTrust({ sources = {} }: Config): [string, SourceKind, string[]][] {
  return Object.entries(sources)
    .map(([name, source]): [string, SourceKind, string[]] => {
      return [name, source.kind, powersOfSource(name, source)];
    })
    .filter(([, , powers]) => powers.length > 0);
}

function harmless(source: SourceConfig): SourceConfig {
  const kept = Object.entries(source).filter(([key]) => !POWERS[source.kind].includes(key));
  return Object.fromEntries(kept) as unknown as SourceConfig;
}

/** The same settings without what needs trust. */
export function withoutPowers(file: Config): Config {
  const { sources = {}, state: _state, hosts: _hosts, nats: _nats, http: _http, ...config } = file;
  const kept = Object.entries(sources).filter(([, source]) => !isProgram(source));
  const clean = kept.map(([name, source]) => [name, harmless(source)] as const);
  return { ...config, sources: Object.fromEntries(clean) };
}
