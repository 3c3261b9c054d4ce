import type { RunCommand } from "../command.ts";
import { SCENES } from "../demo/scenes.ts";
import type { Scene } from "../demo/scenes.ts";
import { openStage } from "../demo/stage.ts";
import type { Stage } from "../demo/stage.ts";
import { EXIT } from "../exit-codes.ts";
import { printJson, printText } from "../io.ts";
import type { Io } from "../io.ts";
import { UsageError } from "../usage-error.ts";

async function show(io: Io, stage: Stage, { title, command, play }: Scene): Promise<void> {
  await printText(io, `\n# ${title}`);
  if (command !== undefined) await printText(io, `$ ${command}`);
  for await (const answer of play(stage)) await printJson(io, answer);
}

/** Plays the tour on a GitHub of its own: no account, no token, no network. */
export const run: RunCommand = async ({ positionals: [extra] }, io) => {
  if (extra !== undefined) throw new UsageError(`waybill demo takes no ${JSON.stringify(extra)}`);
  await printText(io, "A tour on an embedded GitHub: nothing leaves this machine, nothing stays.");
  const stage = await openStage(io);
  try {
    for (const scene of SCENES) {
      if (io.signal?.aborted === true) break;
      await show(io, stage, scene);
    }
  } finally {
    await stage.close();
  }
  await printText(
    io,
    "\nNext: waybill serve github-emulator, waybill capabilities list, waybill run … --help",
  );
  return EXIT.ok;
};
