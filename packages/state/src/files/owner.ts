import { randomBytes } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { performance } from "node:perf_hooks";

const IS_LINUX = process.platform === "linux";

/**
 * Identifies a process. It never equals that of a process on another machine, or of a later
 * process with the same process id.
 */
interface ProcessName {
  readonly machine: string;
  readonly pid: number;
  readonly start: string;
}

/**
 * Identifies the machine, its boot and the pid namespace, because process ids are unique only
 * within these, and containers may share a file. If that cannot be determined, a random name is
 * used, so that every other owner counts as foreign.
 */
function machineName(): string {
  if (!IS_LINUX) return hostname();
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return `${boot}/${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return randomBytes(8).toString("hex");
  }
}

/** State and start time of a process, from the kernel; undefined if they cannot be read. */
function processStat(pid: number): { state: string; start: string } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // Skips the program's name, the second field, which may contain spaces and brackets.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { state: fields[0] ?? "", start: fields[19] ?? "" };
  } catch {
    return undefined;
  }
}

function getStart(pid: number): string {
  const stat = IS_LINUX ? processStat(pid) : undefined;
  return stat?.start ?? String(Math.round(performance.timeOrigin));
}

let self: ProcessName | undefined;

function thisProcess(): ProcessName {
  self ??= { machine: machineName(), pid: process.pid, start: getStart(process.pid) };
  return self;
}

/** A unique name for a lease: its process and a random part, because a process has many leases. */
export function newOwner(): string {
  const { machine, pid, start } = thisProcess();
  return JSON.stringify([machine, pid, start, randomBytes(8).toString("hex")]);
}

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}

function parseOwner(owner: string): ProcessName | undefined {
  try {
    const [machine, pid, start] = JSON.parse(owner) as [unknown, unknown, unknown];
    const isName = typeof machine === "string" && typeof start === "string";
    return isName && Number.isSafeInteger(pid) ? { machine, pid: pid as number, start } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Whether an owner is certainly dead. In doubt it is `false`, and the time of the lease decides.
 */
export function isProvablyDead(owner: string): boolean {
  const named = parseOwner(owner);
  if (named === undefined || named.machine !== thisProcess().machine) return false;
  if (isGone(named.pid)) return true;
  const stat = IS_LINUX ? processStat(named.pid) : undefined;
  if (stat === undefined) return false;
  return stat.state === "Z" || stat.state === "X" || stat.start !== named.start;
}
