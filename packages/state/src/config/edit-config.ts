import { mkdir, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fail, isRecord } from "@waybill/core";
import type { CallError } from "@waybill/core";
import type { Environment } from "./find-config.ts";
import { CONFIG_NAME, findProjectConfig, userConfigPath } from "./find-config.ts";
import { parseConfig, readConfigText } from "./read-config.ts";
import type { SourceConfig } from "./source-config.ts";
import { trustConfig } from "./trust.ts";

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

const PATIENCE_MS = 15_000;
const PAUSE_MS = 20;
/** Nobody takes so long to change a file: who began has died. */
const STALE_MS = 10_000;

function codeOf(error: unknown): unknown {
  return error instanceof Error ? Reflect.get(error, "code") : undefined;
}

async function isStale(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs > STALE_MS;
}

/** Creates the file that will take the place of another, which only one at a time can have done. */
async function begin(next: string, mode: number): Promise<void> {
  for (const until = Date.now() + PATIENCE_MS; ;) {
    try {
      await writeFile(next, "", { mode, flag: "wx" });
      return;
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw error;
    }
    if (await isStale(next)) await rm(next, { force: true });
    else if (Date.now() > until) throw busy(next);
    else await sleep(PAUSE_MS);
  }
}

function busy(next: string): CallError {
  return fail("NOT_READY", `The configuration is being changed by another command`, {
    outcome: "not_applied",
    hint: `If there is none, remove ${next}`,
  });
}

/**
 * Changes a file as a whole: what takes its place is made beside it, and as long as that is there
 * nobody else changes it. Readers see all of the old or all of the new.
 */
async function replaceFile<T>(
  given: string,
  work: (write: (text: string) => Promise<void>) => Promise<T>,
): Promise<T> {
  await mkdir(dirname(given), { recursive: true });
  // A link stays a link, and a file that others could not read stays one.
  const path = await realpath(given).catch(() => given);
  const mode = await stat(path).then(
    (found) => found.mode,
    () => 0o644,
  );
  const next = `${path}.next`;
  await begin(next, mode);
  try {
    const done = await work((text) => writeFile(next, text));
    await rename(next, path);
    return done;
  } catch (error) {
    await rm(next, { force: true });
    throw error;
  }
}

/**
 * Changes the sources of a file and nothing else in it. Only the sources that are named are trusted:
 * the user wrote them just now. What else stands in the file stays as little trusted as it was.
 */
export async function editSources(
  path: string,
  env: Environment,
  change: (sources: Sources) => Sources,
  trusted: readonly string[] = [],
): Promise<void> {
  return replaceFile(path, async (write) => {
    const text = await readConfigText(path);
    const whole: unknown = text === undefined ? {} : JSON.parse(text);
    const config = isRecord(whole) ? whole : {};
    const sources = change((config["sources"] ?? {}) as Sources);
    const changed = `${JSON.stringify({ ...config, sources }, null, 2)}\n`;
    const file = await parseConfig(path, new TextEncoder().encode(changed));
    await write(changed);
    // While nobody else can change it: the trust is in these very words.
    await trustConfig(file, env, { sources: trusted, settings: false });
  });
}
