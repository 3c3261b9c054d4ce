import { createHash, randomUUID } from "node:crypto";
import { readFile, realpath, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ensurePrivateFolder, stateFolder } from "../state.ts";
import type { Config, ConfigFile } from "./config.ts";
import type { Environment } from "./find-config.ts";
import type { SourceConfig, SourceKind } from "./source-config.ts";
import { trustedDigest } from "./trusted-digest.ts";

/**
 * One record a file, named after its path: the same content elsewhere would bring other cards with
 * it, and is another decision. The folder is never one that a configuration can name, or a project
 * could bring its own records.
 */
async function recordPath(path: string, env: Environment): Promise<string> {
  const name = createHash("sha256")
    .update(await realpath(path))
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
  cards: ["token", "cli"],
  openapi: ["credentials", "allow_private"],
  mcp: ["headers", "auth", "trusted"],
  graphql: ["token"],
  command: [],
};

/** What needs trust besides sources: where secrets are kept, and who may call from elsewhere. */
const OWN_POWERS = ["state", "http"] as const;

/** A source that is a program runs it, whatever else it says. */
function isProgram(source: SourceConfig): boolean {
  return source.kind === "command" || (source.kind === "mcp" && source.command !== undefined);
}

/** What in a file needs trust. */
export function powersOf({ sources = {}, ...config }: Config): string[] {
  const powers = Object.entries(sources).flatMap(([name, source]) =>
    isProgram(source)
      ? [`sources.${name}`]
      : POWERS[source.kind]
          .filter((power) => Object.hasOwn(source, power))
          .map((power) => `sources.${name}.${power}`),
  );
  return [...powers, ...OWN_POWERS.filter((power) => config[power] !== undefined)];
}

function harmless(source: SourceConfig): SourceConfig {
  const kept = Object.entries(source).filter(([key]) => !POWERS[source.kind].includes(key));
  return Object.fromEntries(kept) as unknown as SourceConfig;
}

/** The same settings without what needs trust. */
export function withoutPowers(given: Config): Config {
  const { sources = {}, state: _state, http: _http, ...config } = given;
  const kept = Object.entries(sources).filter(([, source]) => !isProgram(source));
  const clean = kept.map(([name, source]) => [name, harmless(source)] as const);
  return { ...config, sources: Object.fromEntries(clean) };
}
