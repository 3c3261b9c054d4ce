import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { errorFromUnknown, fail } from "@waybill/core";
import type { CallError } from "@waybill/core";
import type { Environment } from "./environment.ts";

export interface StartOptions {
  readonly program: string;
  readonly argv: readonly string[];
  /** The complete environment of the program; see `scrubEnvironment`. */
  readonly env: Environment;
  readonly cwd?: string | undefined;
  readonly stdin?: string | Uint8Array | undefined;
}

export interface Started {
  readonly child: ChildProcess;
  readonly pid: number;
}

/**
 * Starts a program without a shell, in a separate process group, so that it can be ended with
 * all its children.
 */
function spawnGroup({ program, argv, env, cwd, stdin }: StartOptions): ChildProcess {
  return spawn(program, [...argv], {
    env,
    cwd,
    detached: true,
    shell: false,
    windowsHide: true,
    stdio: [stdin === undefined ? "ignore" : "pipe", "pipe", "pipe"],
  });
}

function notAvailable(message: string, cause: unknown): CallError {
  const details = { outcome: "not_applied", preflight: "CLI_NOT_AVAILABLE" } as const;
  return fail("ADAPTER_UNSUPPORTED", message, details, { cause });
}

/** The error if the program could not be started. Nothing was applied. */
function startFailure({ program, cwd }: StartOptions, cause: unknown): CallError {
  const code: unknown = cause instanceof Error ? Reflect.get(cause, "code") : undefined;
  const details = { outcome: "not_applied" } as const;
  if (code === "ENOENT" && cwd !== undefined && !existsSync(cwd)) {
    const missing = `The folder ${cwd} to run ${program} in is missing. Create it, or change cwd`;
    return fail("VALIDATION", missing, details, { cause });
  }
  if (code === "ENOENT")
    return notAvailable(`${program} is not installed, or its folder is not in PATH`, cause);
  if (code === "EACCES")
    return notAvailable(`${program} is not executable; run: chmod +x on its file`, cause);
  if (code === "E2BIG") {
    return fail(
      "TOO_LARGE",
      "The arguments are too long for a command line. Pass less data",
      details,
      { cause },
    );
  }
  if (isPassing(cause)) {
    const hint = "End other programs, or call again later";
    const message = `${program} could not be started now (${String(code)})`;
    return fail("NOT_READY", message, { ...details, hint }, { cause });
  }
  if (typeof code === "string")
    return notAvailable(`${program} could not be started (${code}); check its file`, cause);
  const { message } = errorFromUnknown(cause);
  return fail("UNKNOWN", `${program} could not be started: ${message}`, details, { cause });
}

/**
 * Codes of a machine that has no room for another process or file at this moment, and of a program
 * whose file another process has still open for writing.
 */
const PASSING = ["EAGAIN", "EMFILE", "ENFILE", "ENOMEM", "ETXTBSY"];
const MAX_TRIES = 5;
const PAUSE_MS = 20;

function isPassing(cause: unknown): boolean {
  return cause instanceof Error && PASSING.includes(String(Reflect.get(cause, "code")));
}

/** Nothing has run if the start failed, so a start that failed for a moment is tried again. */
export async function startProgram(options: StartOptions): Promise<Started> {
  for (let tries = 1; ; tries++) {
    try {
      return await startOnce(options);
    } catch (cause) {
      if (!isPassing(cause) || tries >= MAX_TRIES) throw startFailure(options, cause);
    }
    await delay(PAUSE_MS * tries);
  }
}

async function startOnce(options: StartOptions): Promise<Started> {
  const child = spawnGroup(options);
  const { pid } = child;
  // If the process could not be started, an event with the reason follows.
  if (pid === undefined) throw (await once(child, "error"))[0];
  child.on("error", () => undefined);
  feed(child, options.stdin);
  return { child, pid };
}

/**
 * Ignores the broken pipe of a program that ends without reading its input, because only its
 * output counts.
 */
function feed(child: ChildProcess, stdin: string | Uint8Array | undefined): void {
  child.stdin?.on("error", () => undefined);
  child.stdin?.end(stdin);
}
