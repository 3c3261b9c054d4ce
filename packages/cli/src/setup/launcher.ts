import { basename, isAbsolute } from "node:path";
import { fileURLToPath } from "node:url";
import { version } from "../version.ts";

/** The name of Waybill in every list of servers. */
export const SERVER_NAME = "waybill";

const SERVE = ["serve", "mcp"] as const;
/** The flag for brief answers, because a model pays for each token. */
export const SERVE_BRIEF = [...SERVE, "--brief"] as const;

/** Where this copy of Waybill is installed. */
export interface Installation {
  readonly node: string;
  readonly script: string;
  readonly version: string;
  readonly platform: NodeJS.Platform;
}

export function thisInstallation(): Installation {
  const script = fileURLToPath(new URL("../../bin/waybill.cjs", import.meta.url));
  return { node: process.execPath, script, version: version(), platform: process.platform };
}

function npxWords({ version: exact, platform }: Installation): readonly string[] {
  const words = ["npx", "-y", `waybill@${exact}`];
  // Windows cannot start npx without a shell.
  return platform === "win32" ? ["cmd", "/c", ...words] : words;
}

/**
 * The command that starts Waybill from an agent. A user's file contains the full path, because an
 * agent often has another PATH than the terminal. A project's file is shared with other users, so
 * it uses npx, which finds the package on every machine.
 */
export function launcherWords(installation: Installation, isUsers: boolean): readonly string[] {
  const { node, script } = installation;
  const folders = script.split(/[\\/]/);
  const isFetched = folders.includes("_npx");
  const isShared = !isUsers && folders.includes("node_modules");
  return isFetched || isShared ? npxWords(installation) : [node, script];
}

function isNode(word: string): boolean {
  return isAbsolute(word) && /^node(?:\.exe)?$/.test(basename(word));
}

function launcherLength(words: readonly string[]): number {
  const at = words[0] === "cmd" && words[1] === "/c" ? 2 : 0;
  const [first = "", second = "", third = ""] = words.slice(at);
  if (first === "npx" && second === "-y" && third.startsWith("waybill@")) return at + 3;
  if (first === "waybill") return 1;
  return isNode(first) && basename(second) === "waybill.cjs" ? 2 : 0;
}

export interface ServerWords {
  readonly launcher: readonly string[];
  readonly rest: readonly string[];
}

/** Splits the command of an entry; undefined if it does not start Waybill's server. */
export function splitWords(words: readonly string[]): ServerWords | undefined {
  const length = launcherLength(words);
  const rest = words.slice(length);
  const isServer = length > 0 && SERVE.every((word, at) => rest[at] === word);
  return isServer ? { launcher: words.slice(0, length), rest } : undefined;
}

/** Whether the entry is as `setup` writes it, with or without `--brief`. */
export function isWrittenBySetup({ rest }: ServerWords): boolean {
  return [SERVE, SERVE_BRIEF].some((own) => own.join(" ") === rest.join(" "));
}
