import { randomUUID } from "node:crypto";
import { mkdir, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isRecord } from "@waybill/core";
import type { Environment } from "./find-config.ts";
import { CONFIG_NAME, findProjectConfig, userConfigPath } from "./find-config.ts";
import { parseConfig, readConfig, readConfigText } from "./read-config.ts";
import type { SourceConfig } from "./source-config.ts";
import { isTrusted, powersOf, trustConfig } from "./trust.ts";

/** Which file to change: the user's own, or the nearest project's, or a new one here. */
export async function configToEdit(
  cwd: string,
  env: Environment,
  isUsers: boolean,
): Promise<string> {
  if (isUsers) return userConfigPath(env);
  return findProjectConfig(cwd) ?? join(cwd, CONFIG_NAME);
}

type Sources = Record<string, SourceConfig>;

/** Written beside and moved into place, so that nobody reads half of it. */
async function writeWhole(given: string, text: string): Promise<void> {
  await mkdir(dirname(given), { recursive: true });
  // A link stays a link, and a file that others could not read stays one.
  const path = await realpath(given).catch(() => given);
  const mode = await stat(path).then(
    (found) => found.mode,
    () => 0o644,
  );
  const part = `${path}.${randomUUID()}.part`;
  try {
    await writeFile(part, text, { mode });
    await rename(part, path);
  } finally {
    await rm(part, { force: true });
  }
}

/** What somebody else wrote stays as little trusted as it was. */
async function isOurs(path: string, env: Environment): Promise<boolean> {
  const file = await readConfig(path);
  return powersOf(file.config).length === 0 || isTrusted(file, env);
}

/**
 * Changes the sources of a file and nothing else in it. A file that was trusted, or had nothing to
 * trust, is trusted as it is now, for its user changed it, unless what is added is somebody else's;
 * tells whether it is.
 */
export async function editSources(
  path: string,
  env: Environment,
  change: (sources: Sources) => Sources,
  mayTrust = true,
): Promise<{ readonly isTrusted: boolean }> {
  const text = await readConfigText(path);
  const wasOurs = mayTrust && (text === undefined || (await isOurs(path, env)));
  const whole: unknown = text === undefined ? {} : JSON.parse(text);
  const config = isRecord(whole) ? whole : {};
  const sources = change((config["sources"] ?? {}) as Sources);
  const changed = `${JSON.stringify({ ...config, sources }, null, 2)}\n`;
  const file = await parseConfig(path, new TextEncoder().encode(changed));
  await writeWhole(path, changed);
  if (wasOurs) await trustConfig(file, env);
  return { isTrusted: wasOurs };
}
