import { GraphWorkspace } from "@waybill/codegraph";
import type { WatchState } from "@waybill/codegraph";
import type { RunCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { printJson } from "../io.ts";
import type { Io } from "../io.ts";
import { UsageError } from "../usage-error.ts";
import { rootOf } from "./graph-root.ts";

const LONG_MS = 2 ** 30;

/**
 * Ends when the user interrupts; never, where nobody can. Watching a tree does not keep a process
 * alive, so a timer does.
 */
function interrupted({ signal }: Io): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) return resolve();
    const alive = setInterval(() => {}, LONG_MS);
    const end = (): void => {
      clearInterval(alive);
      resolve();
    };
    signal?.addEventListener("abort", end, { once: true });
  });
}

export const run: RunCommand = async (words, io) => {
  const [extra] = words.positionals;
  if (extra !== undefined) throw new UsageError(`waybill graph watch takes no ${extra}`);
  const workspace = new GraphWorkspace({ root: rootOf(words, io) });
  let printed = Promise.resolve();
  const tell = (state: WatchState): void => {
    printed = printed.then(() => printJson(io, state, false));
  };
  try {
    tell(await workspace.watch(tell));
    await interrupted(io);
    await printed;
    return EXIT.ok;
  } finally {
    await workspace.close();
  }
};
