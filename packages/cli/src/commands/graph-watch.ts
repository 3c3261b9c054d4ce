import { GraphWorkspace } from "@waybill/codegraph";
import type { WatchState } from "@waybill/codegraph";
import type { RunCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { printJson } from "../io.ts";
import { untilInterrupted } from "../until-interrupted.ts";
import { UsageError } from "../usage-error.ts";
import { rootOf } from "./graph-root.ts";

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
    await untilInterrupted(io);
    await printed;
    return EXIT.ok;
  } finally {
    await workspace.close();
  }
};
