import { createHash, randomUUID } from "node:crypto";
import { readFile, realpath, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ensurePrivateFolder, stateFolder } from "../state.ts";
import type { CardsSourceConfig, Config, ConfigFile } from "./config.ts";
import type { Environment } from "./find-config.ts";

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

/** Lets everything in this file count, as long as its content stays what it is. */
export async function trustConfig({ path, digest }: ConfigFile, env: Environment): Promise<void> {
  const record = await recordPath(path, env);
  await ensurePrivateFolder(join(record, ".."));
  const part = `${record}.${randomUUID()}.part`;
  await writeFile(part, `${digest}\n${path}\n`, { mode: 0o600 });
  await rename(part, record);
}

export async function isTrusted({ path, digest }: ConfigFile, env: Environment): Promise<boolean> {
  try {
    const [trusted] = (await readFile(await recordPath(path, env), "utf8")).split("\n", 1);
    return trusted === digest;
  } catch {
    return false;
  }
}

/** What in a file needs trust: each can hand a token to somebody, or run a program. */
export function powersOf({ sources = {}, state }: Config): string[] {
  const powers = Object.entries(sources).flatMap(([name, { token, cli }]) => [
    ...(token === undefined ? [] : [`sources.${name}.token`]),
    ...(cli === undefined ? [] : [`sources.${name}.cli`]),
  ]);
  return state === undefined ? powers : [...powers, "state"];
}

/** The same settings without what needs trust. */
export function withoutPowers({ sources = {}, state: _state, ...config }: Config): Config {
  const harmless: Record<string, CardsSourceConfig> = {};
  for (const [name, { token: _token, cli: _cli, ...source }] of Object.entries(sources)) {
    harmless[name] = source;
  }
  return { ...config, sources: harmless };
}
