import { GraphWorkspace } from "@waybill/codegraph";
import type { WatchState } from "@waybill/codegraph";
import type { RunCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { printJson } from "../io.ts";
import type { Io } from "../io.ts";
import { untilInterrupted } from "../until-interrupted.ts";
import { UsageError } from "../words/usage-error.ts";
import { getRoot } from "./graph-root.ts";

const DAY_MS = 86_400_000;

/** Waits until the user interrupts, or the program that reads the output ends, such as `head`. */
async function untilUnread(io: Io): Promise<void> {
  const unread = new Promise<void>((resolve) => io.stdout.once("close", resolve));
  // The file watcher does not keep the process alive, so this timer does.
  const alive = setInterval(() => {}, DAY_MS);
  await Promise.race([untilInterrupted(io), unread]);
  clearInterval(alive);
}

export const run: RunCommand = async (words, io) => {
  const [extra] = words.positionals;
  if (extra !== undefined)
    throw new UsageError(
      `waybill graph watch takes no arguments, but got ${JSON.stringify(extra)}; leave it out`,
    );
  const workspace = new GraphWorkspace({ root: getRoot(words, io) });
  let printed = Promise.resolve();
  const tell = (state: WatchState): void => {
    printed = printed.then(() => printJson(io, state, false));
  };
  try {
    tell(await workspace.watch(tell));
    await untilUnread(io);
    await printed;
    return EXIT.ok;
  } finally {
    await workspace.close();
  }
};
