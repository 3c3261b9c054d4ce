import { rm } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { RunCommand, Words } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { printText } from "../io.ts";
import type { Io } from "../io.ts";
import { numberValue } from "../words/option-values.ts";
import { untilInterrupted } from "../until-interrupted.ts";
import { askUp } from "../up/ask.ts";
import { socketPath } from "../up/socket-path.ts";
import { PATHS } from "../up/wire.ts";
import type { UpStatus } from "../up/wire.ts";
import { UsageError } from "../words/usage-error.ts";
import { version } from "../version.ts";

const DEFAULT_IDLE_MINUTES = 30;
/** The longest delay of a Node timer. A longer one would fire immediately. */
const MAX_IDLE_MINUTES = 35_000;
const POLL_MS = 50;
const START_MS = 30_000;

/** The path of the background process's socket. */
export function requireSocketPath({ env }: Io): string {
  const path = socketPath(env);
  if (path !== undefined) return path;
  throw new UsageError("The path of the state folder is too long for a socket", {
    hint: "Set WAYBILL_STATE to a shorter absolute path",
  });
}

function idleMinutes(words: Words): number {
  const minutes = numberValue(words, "idle") ?? DEFAULT_IDLE_MINUTES;
  if (minutes > 0 && minutes <= MAX_IDLE_MINUTES) return minutes;
  throw new UsageError(`--idle must be between 1 and ${MAX_IDLE_MINUTES} minutes`);
}

function told({ pid, idleMinutes: minutes }: UpStatus): string {
  return `waybill is up (process ${pid}); it stops after ${minutes} idle minutes, or with: waybill down`;
}

async function untilThere(path: string): Promise<UpStatus> {
  for (const until = Date.now() + START_MS; Date.now() < until; await sleep(POLL_MS)) {
    const status = await askUp(path, "GET", PATHS.status);
    if (status?.version === version()) return status;
  }
  throw new UsageError("The background process did not start", {
    hint: "Try: waybill up --foreground",
  });
}

/** Stops a background process of another version, which would refuse every command. */
async function replaceOther(path: string): Promise<UpStatus | undefined> {
  const status = await askUp(path, "GET", PATHS.status);
  if (status === undefined) await rm(path, { force: true });
  if (status === undefined || status.version === version()) return status;
  await askUp(path, "POST", PATHS.down);
  return undefined;
}

export const run: RunCommand = async (words, io, _commands, main) => {
  const path = requireSocketPath(io);
  const minutes = idleMinutes(words);
  const running = await replaceOther(path);
  if (running !== undefined) {
    await printText(io, told(running));
    return EXIT.ok;
  }
  if (words.switches.has("foreground") && main !== undefined) {
    const { serveUp } = await import("../up/server.ts");
    await serveUp(main, path, minutes, untilInterrupted(io), () =>
      printText(io, `waybill is up (process ${process.pid})`),
    );
    return EXIT.ok;
  }
  if (io.inBackground === undefined)
    throw new UsageError("Waybill cannot start a background process here; add --foreground");
  io.inBackground(["up", "--foreground", "--idle", String(minutes)]);
  await printText(io, told(await untilThere(path)));
  return EXIT.ok;
};
