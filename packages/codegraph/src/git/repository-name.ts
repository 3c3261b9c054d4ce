import { join } from "node:path";
import { commonFolder, gitFolderAbove, readGitFile } from "./read-git-files.ts";

const MAX_CONFIG = 1_000_000;

/** The URL of `origin` in git's configuration file; undefined if there is none. */
function originAddress(config: string): string | undefined {
  let isOrigin = false;
  for (const line of config.slice(0, MAX_CONFIG).split("\n")) {
    const section = /^\s*\[(.+)\]\s*$/u.exec(line)?.[1];
    if (section !== undefined) isOrigin = section === 'remote "origin"';
    const url = isOrigin ? /^\s*url\s*=\s*(\S+)\s*$/u.exec(line)?.[1] : undefined;
    if (url !== undefined) return url;
  }
  return undefined;
}

/** The repository's name, from the URL that it was cloned from. */
export function originName(folder: string): string | undefined {
  try {
    const own = gitFolderAbove(folder);
    if (own === undefined) return undefined;
    const address = originAddress(readGitFile(join(commonFolder(own), "config")));
    const name = address
      ?.replace(/\/+$/u, "")
      .split(/[/:\\]/u)
      .at(-1);
    return name?.replace(/\.git$/u, "") || undefined;
  } catch {
    return undefined;
  }
}
