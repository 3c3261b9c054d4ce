import { execFile } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import { promisify } from "node:util";
import { fail } from "@waybill/core";

/** Limits of a server process on this machine. */
export interface ServerLimits {
  /** Maximum memory of each process of the server, in MB. */
  readonly memoryMb?: number;
  /**
   * Maximum processor time of each process of the server, in seconds. A process that uses more is
   * killed.
   */
  readonly cpuSeconds?: number;
}

/**
 * A sandbox in which the server sees the system read-only, and the folders that are listed here.
 */
export interface Isolation {
  /** Whether the server may use the network (default: false). */
  readonly network?: boolean;
  /**
   * Folders that the server may read. Its program folder and working folder are always included.
   */
  readonly folders?: readonly string[];
  /** Folders that the server may also write. */
  readonly writable?: readonly string[];
}

/** A program and its start options. */
export interface Started {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string | undefined;
}

const DEFAULT_LIMITS = { memoryMb: 2_048, cpuSeconds: 3_600 } as const;
const BWRAP = "bwrap";
const TRIAL_MS = 10_000;

/** Starts a shell that sets the limits and is then replaced by the program. */
function withLimits<S extends Started>(server: S, limits: ServerLimits): S {
  const { memoryMb, cpuSeconds } = limits;
  const rules = [
    // Limits writable memory, because programs such as Node reserve far more address space than
    // they use.
    ...(memoryMb === undefined ? [] : [`ulimit -d ${Math.round(memoryMb * 1_024)}`]),
    ...(cpuSeconds === undefined ? [] : [`ulimit -t ${Math.round(cpuSeconds)}`]),
  ];
  if (rules.length === 0 || process.platform === "win32") return server;
  const script = `${rules.join(" && ")} && exec "$@"`;
  const args = ["-c", script, "sh", server.command, ...server.args];
  return { ...server, command: "/bin/sh", args };
}

/** The file of a command, found like a shell does. */
function programFile({ command, env, cwd = process.cwd() }: Started): string | undefined {
  if (command.includes("/")) return isAbsolute(command) ? command : join(cwd, command);
  const folders = (env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  return folders.map((folder) => join(folder, command)).find((file) => existsSync(file));
}

/** In `~/.local`, only `bin` and `lib` are visible. Other folders contain keyrings and user data. */
const LOCAL = "/.local";

/** Includes the folder above `bin`, because a runtime has its libraries there. */
function runtimeFolders(bin: string): string[] {
  const prefix = dirname(bin);
  return prefix.endsWith(LOCAL) ? [bin, join(prefix, "lib")] : [prefix];
}

/** The folders of the program, also behind symbolic links. */
function programFolders(server: Started): string[] {
  const file = programFile(server);
  if (file === undefined || !existsSync(file)) return [];
  const own = dirname(realpathSync(file));
  const folders = own.endsWith("/bin") ? runtimeFolders(own) : [own];
  return [dirname(file), ...folders].filter((folder) => existsSync(folder));
}

/**
 * Folders that are hidden in the sandbox. They have files, sockets and homes of other programs
 * and users.
 */
const HIDDEN = ["/home", "/root", "/run", "/var/run", "/tmp", "/var/tmp", "/mnt", "/media"];
/** Variables that are removed. They name folders of Waybill or of other programs of the user. */
const PRIVATE = ["WAYBILL_STATE", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"];
/** Files with the addresses of name servers. Without them, the network does not work. */
const RESOLVER = ["/run/systemd/resolve", "/run/resolvconf"];

/** Includes the user's own home folder, because a source can set another home for its server. */
function hiddenFolders({ env }: Started): string[] {
  const own = PRIVATE.map((name) => process.env[name] ?? "");
  const named = [...HIDDEN, homedir(), env["HOME"] ?? "", ...own];
  const found = named.filter((folder) => isAbsolute(folder) && existsSync(folder));
  return [...new Set(found.map((folder) => realpathSync(folder)))];
}

/** Whether a folder is or contains another one. */
function holds(folder: string, other: string): boolean {
  const real = existsSync(folder) ? realpathSync(folder) : folder;
  return other === real || other.startsWith(real === "/" ? "/" : `${real}/`);
}

function sandboxWords(server: Started, { network, folders, writable }: Required<Isolation>) {
  const hidden = hiddenFolders(server);
  const own = [...programFolders(server), server.cwd ?? process.cwd()];
  // Refuses a folder that contains a hidden one, because showing it would show the hidden one too.
  const shown = own.filter((folder) => !hidden.some((other) => holds(folder, other)));
  return [
    ["--die-with-parent", "--unshare-all", ...(network ? ["--share-net"] : [])],
    ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"],
    hidden.flatMap((folder) => ["--tmpfs", folder]),
    (network ? RESOLVER : []).flatMap((folder) => ["--ro-bind-try", folder, folder]),
    [...new Set([...shown, ...folders])].flatMap((folder) => ["--ro-bind", folder, folder]),
    writable.flatMap((folder) => ["--bind", folder, folder]),
    ["--chdir", server.cwd ?? process.cwd(), "--"],
  ].flat();
}

/** Why no program can be isolated here. Undefined if it is possible. */
export async function isolationProblem(): Promise<string | undefined> {
  if (process.platform !== "linux") return "programs can be isolated on Linux only";
  const trial = [
    "--ro-bind",
    "/",
    "/",
    "--unshare-all",
    "--proc",
    "/proc",
    "--dev",
    "/dev",
    "true",
  ];
  try {
    await promisify(execFile)(BWRAP, trial, { timeout: TRIAL_MS });
    return undefined;
  } catch (error) {
    if (Reflect.get(error as object, "code") === "ENOENT") return "bwrap is not installed";
    const said = String(Reflect.get(error as object, "stderr") ?? "")
      .trim()
      .slice(0, 200);
    return `bwrap cannot make namespaces here${said === "" ? "" : ` (${said})`}`;
  }
}

/** If a server must be isolated but cannot be, it is not started. */
async function assertIsolation(): Promise<void> {
  const problem = await isolationProblem();
  if (problem === undefined) return;
  throw fail("NOT_READY", `The server cannot be isolated: ${problem}`, {
    outcome: "not_applied",
    hint: 'Install bubblewrap (apt-get install bubblewrap), or remove "isolated" from the source',
  });
}

/** The start options of a server with its limits and, if requested, its sandbox. */
export async function confined<S extends Started>(
  server: S,
  limits: ServerLimits | undefined,
  isolated: boolean | Isolation | undefined,
): Promise<S> {
  // Does not wrap a missing program, so that starting it fails with a clear error.
  if (programFile(server) === undefined) return server;
  if (isolated === undefined || isolated === false) return withLimits(server, limits ?? {});
  await assertIsolation();
  const isolation = isolated === true ? {} : isolated;
  const words = sandboxWords(server, { network: false, folders: [], writable: [], ...isolation });
  const limited = withLimits(server, { ...DEFAULT_LIMITS, ...limits });
  return { ...limited, command: BWRAP, args: [...words, limited.command, ...limited.args] };
}
