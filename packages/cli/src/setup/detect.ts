import { access } from "node:fs/promises";
import { delimiter, join } from "node:path";
import type { Io } from "../io.ts";
import { AGENTS, profileFor, setupFolders } from "./agents.ts";
import type { Agent } from "./agents.ts";

const MAX_FOLDERS = 500;

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

async function isOnPath(program: string, { env }: Io): Promise<boolean> {
  const folders = (env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  const names = process.platform === "win32" ? [`${program}.cmd`, `${program}.exe`] : [program];
  const paths = folders.slice(0, MAX_FOLDERS).flatMap((at) => names.map((name) => join(at, name)));
  return (await Promise.all(paths.map(exists))).includes(true);
}

async function isInstalled(agent: Agent, io: Io): Promise<boolean> {
  const { program, folder } = profileFor(agent);
  if (await exists(folder(setupFolders(io, true)))) return true;
  return program !== undefined && isOnPath(program, io);
}

/** The agent programs on this machine, found by their commands and folders. */
export async function installedAgents(io: Io): Promise<readonly Agent[]> {
  const known = AGENTS.filter((agent) => agent !== "generic");
  const found = await Promise.all(known.map((agent) => isInstalled(agent, io)));
  return known.filter((_, at) => found[at]);
}
