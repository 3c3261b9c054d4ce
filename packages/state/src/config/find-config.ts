import { statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";

export type Environment = Readonly<Record<string, string | undefined>>;

export const CONFIG_NAME = "waybill.config.json";

/** At once: the promises of `fs` take longer to load than these few questions to answer. */
function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  } catch {
    return false;
  }
}

/** The file that `WAYBILL_CONFIG` names, or the nearest project file from a folder upward. */
export function findProjectConfig(cwd: string, env: Environment = {}): string | undefined {
  const chosen = env["WAYBILL_CONFIG"];
  if (chosen !== undefined && chosen !== "") return resolve(cwd, chosen);
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    const path = join(folder, CONFIG_NAME);
    if (isFile(path)) return path;
    if (folder === dirname(folder)) return undefined;
  }
}

/** The XDG specification says that a relative path in its variables is to be ignored. */
function configHome(env: Environment): string {
  const set = env["XDG_CONFIG_HOME"];
  if (set !== undefined && isAbsolute(set)) return set;
  return join(env["HOME"] || homedir(), ".config");
}

/** Where the user's own file is, or would be. */
export function userConfigPath(env: Environment): string {
  return join(configHome(env), "waybill", "config.json");
}

/** The user's own file, which may not exist. */
export function findUserConfig(env: Environment): string | undefined {
  const path = userConfigPath(env);
  return isFile(path) ? path : undefined;
}
