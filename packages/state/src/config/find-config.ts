import { statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";

export type Environment = Readonly<Record<string, string | undefined>>;

export const CONFIG_NAME = "waybill.config.json";

/** Uses synchronous functions, because loading `fs/promises` takes longer than these few checks. */
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

/** The XDG specification says to ignore a relative path in its variables. */
function configHome(env: Environment): string {
  const set = env["XDG_CONFIG_HOME"];
  if (set !== undefined && isAbsolute(set)) return set;
  return join(env["HOME"] || homedir(), ".config");
}

/** The path of the user's own file, whether it exists or not. */
export function userConfigPath(env: Environment): string {
  return join(configHome(env), "waybill", "config.json");
}

/** The path of the user's own file; undefined if it does not exist. */
export function findUserConfig(env: Environment): string | undefined {
  const path = userConfigPath(env);
  return isFile(path) ? path : undefined;
}
