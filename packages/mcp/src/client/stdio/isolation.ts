import { execFile } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import { promisify } from "node:util";
import { fail } from "@waybill/core";

/** Limits of a server on this machine. */
export interface ServerLimits {
  /** Memory of each of its processes. */
  readonly memoryMb?: number;
  /** Processor time of each of its processes, after which it is killed. */
  readonly cpuSeconds?: number;
}

/** A sandbox shows the server the system, read-only, and the folders that are named here. */
export interface Isolation {
  /** Whether it may use the network (default: false). */
  readonly network?: boolean;
  /** Folders that it may read. The folders of the program and of its work are always among them. */
  readonly folders?: readonly string[];
  /** Folders that it may also write. */
  readonly writable?: readonly string[];
}

/** A program and how it is started. */
export interface Started {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string | undefined;
}

const DEFAULT_LIMITS = { memoryMb: 2_048, cpuSeconds: 3_600 } as const;
const BWRAP = "bwrap";
const TRIAL_MS = 10_000;

/** The shell sets limits and becomes the program. */
function withLimits<S extends Started>(server: S, limits: ServerLimits): S {
  const { memoryMb, cpuSeconds } = limits;
  const rules = [
    // Limits writable memory: programs such as Node reserve far more address space than they use.
    ...(memoryMb === undefined ? [] : [`ulimit -d ${Math.round(memoryMb * 1_024)}`]),
    ...(cpuSeconds === undefined ? [] : [`ulimit -t ${Math.round(cpuSeconds)}`]),
  ];
  if (rules.length === 0 || process.platform === "win32") return server;
  const script = `${rules.join(" && ")} && exec "$@"`;
  const args = ["-c", script, "sh", server.command, ...server.args];
  return { ...server, command: "/bin/sh", args };
}

/** The file that a name stands for, as a shell finds it. */
function programFile({ command, env, cwd = process.cwd() }: Started): string | undefined {
  if (command.includes("/")) return isAbsolute(command) ? command : join(cwd, command);
  const folders = (env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  return folders.map((folder) => join(folder, command)).find((file) => existsSync(file));
}

/** Where the program is, also behind symbolic links; a runtime keeps its libraries beside `bin`. */
function programFolders(server: Started): string[] {
  const file = programFile(server);
  if (file === undefined || !existsSync(file)) return [];
  const own = dirname(realpathSync(file));
  return [dirname(file), own.endsWith("/bin") ? dirname(own) : own];
}

/** Other programs and users keep files, sockets and homes there. */
const HIDDEN = ["/home", "/root", "/run", "/var/run", "/tmp", "/var/tmp", "/mnt", "/media"];
/** Without the addresses of name servers there is no network. */
const RESOLVER = ["/run/systemd/resolve", "/run/resolvconf"];

/** To show it would show the home folder too. */
function holdsHome(folder: string, { env }: Started): boolean {
  const home = env["HOME"] ?? "";
  return home === folder || home.startsWith(folder === "/" ? "/" : `${folder}/`);
}

function sandboxWords(server: Started, { network, folders, writable }: Required<Isolation>) {
  const hidden = [...HIDDEN, server.env["HOME"] ?? ""].filter((folder) => existsSync(folder));
  const own = [...programFolders(server), server.cwd ?? process.cwd()];
  const seen = [...own.filter((folder) => !holdsHome(folder, server)), ...folders];
  return [
    ["--die-with-parent", "--unshare-all", ...(network ? ["--share-net"] : [])],
    ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"],
    [...new Set(hidden.map((folder) => realpathSync(folder)))].flatMap((folder) => [
      "--tmpfs",
      folder,
    ]),
    (network ? RESOLVER : []).flatMap((folder) => ["--ro-bind-try", folder, folder]),
    [...new Set(seen)].flatMap((folder) => ["--ro-bind", folder, folder]),
    writable.flatMap((folder) => ["--bind", folder, folder]),
    ["--chdir", server.cwd ?? process.cwd(), "--"],
  ].flat();
}

/** Why no program can be isolated here, or undefined when it can. */
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

/** A server that should be isolated and cannot be is not started. */
async function assertIsolation(): Promise<void> {
  const problem = await isolationProblem();
  if (problem === undefined) return;
  throw fail("NOT_READY", `The server cannot be isolated: ${problem}`, {
    outcome: "not_applied",
    hint: 'Install bubblewrap (apt-get install bubblewrap), or remove "isolated" from the source',
  });
}

/** How a server is started within its limits and, where it is wanted, in a sandbox. */
export async function confined<S extends Started>(
  server: S,
  limits: ServerLimits | undefined,
  isolated: boolean | Isolation | undefined,
): Promise<S> {
  // Starting a program that is missing fails with a clear error, so it is not wrapped.
  if (programFile(server) === undefined) return server;
  if (isolated === undefined || isolated === false) return withLimits(server, limits ?? {});
  await assertIsolation();
  const isolation = isolated === true ? {} : isolated;
  const words = sandboxWords(server, { network: false, folders: [], writable: [], ...isolation });
  const limited = withLimits(server, { ...DEFAULT_LIMITS, ...limits });
  return { ...limited, command: BWRAP, args: [...words, limited.command, ...limited.args] };
}
