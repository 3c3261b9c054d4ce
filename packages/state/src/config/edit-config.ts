import { realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isRecord } from "@waybill/core/schema";
import { makeFolder, withLock, writeWhole } from "../files/index.ts";
import type { Environment } from "./find-config.ts";
import { CONFIG_NAME, findProjectConfig, userConfigPath } from "./find-config.ts";
import { parseConfig, readConfigText } from "./read-config.ts";
import type { SourceConfig } from "./source-config.ts";
import { trustConfig } from "./trust.ts";

/**
 * Finds the file to change: the user's own, the nearest project file, or a new one in this folder.
 */
export async function configToEdit(
  cwd: string,
  env: Environment,
  isUsers: boolean,
): Promise<string> {
  if (isUsers) return userConfigPath(env);
  return findProjectConfig(cwd, env) ?? join(cwd, CONFIG_NAME);
}

type Sources = Record<string, SourceConfig>;

/**
 * Changes the sources of a file and nothing else in it. Only the named sources are trusted, because
 * the user has just written them. The trust of the rest of the file stays as it was.
 */
export async function editSources(
  path: string,
  env: Environment,
  change: (sources: Sources) => Sources,
  trusted: readonly string[] = [],
): Promise<void> {
  await makeFolder(dirname(path));
  // Uses the real path, because a link and its target must share one lock.
  const real = await realpath(path).catch(() => path);
  return withLock(`${real}.lock`, async () => {
    const text = await readConfigText(path);
    const whole: unknown = text === undefined ? {} : JSON.parse(text);
    const config = isRecord(whole) ? whole : {};
    const sources = change((config["sources"] ?? {}) as Sources);
    const changed = `${JSON.stringify({ ...config, sources }, null, 2)}\n`;
    const file = await parseConfig(path, new TextEncoder().encode(changed));
    // Records the trust before the file is written, so that no process sees the new source as
    // untrusted.
    await trustConfig(file, env, { sources: trusted, settings: false });
    await writeWhole(path, changed);
  });
}
