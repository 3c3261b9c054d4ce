import { access, constants, stat } from "node:fs/promises";
import { delimiter, join } from "node:path";
import type { Environment } from "./environment.ts";

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

function candidates(program: string, env: Environment): string[] {
  if (/[/\\]/u.test(program)) return [program];
  const folders = (env["PATH"] ?? env["Path"] ?? "").split(delimiter);
  const endings = process.platform === "win32" ? [".exe", ".cmd", ""] : [""];
  return folders
    .filter((folder) => folder !== "")
    .flatMap((folder) => endings.map((ending) => join(folder, program + ending)));
}

/** Finds the path of a program like the system does, but without starting anything. */
export async function findProgram(program: string, env: Environment): Promise<string | undefined> {
  for (const path of candidates(program, env)) {
    if (await isExecutable(path)) return path;
  }
  return undefined;
}
