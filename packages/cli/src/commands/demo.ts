import type { RunCommand } from "../command.ts";
import { SCENES } from "../demo/scenes.ts";
import { showScene } from "../demo/show-scene.ts";
import { openStage } from "../demo/stage.ts";
import type { Stage } from "../demo/stage.ts";
import { EXIT } from "../exit-codes.ts";
import { BUILD_HINT, pageFolder } from "../inspect/page-folder.ts";
import { note, printText } from "../io.ts";
import type { Io } from "../io.ts";
import { UsageError } from "../words/usage-error.ts";

/** Three commands to suggest at the end. They work without an account or a configuration. */
const TRY = [
  "serve github-emulator",
  'capabilities search "close an issue"',
  "setup --agent claude-code --dry-run",
];

/**
 * The command as the user started it, because `waybill` alone works only after a global
 * installation.
 */
function commandName({ env }: Io): string {
  return env["npm_execpath"] === undefined ? "waybill" : "npx waybill";
}

async function showAll(io: Io, stage: Stage): Promise<void> {
  for (const [index, scene] of SCENES.entries()) {
    if (io.signal?.aborted === true) return;
    await showScene(io, stage, scene, `${index + 1}/${SCENES.length}`);
  }
  const name = commandName(io);
  await printText(io, `\nNext: ${TRY.map((words) => `${name} ${words}`).join("\n      ")}`);
}

/**
 * Opens the page for a person at a terminal. Without a terminal or a built page, the tour ends
 * here.
 */
async function goOn(io: Io, stage: Stage): Promise<void> {
  if (!io.isTTY || io.signal?.aborted === true) return;
  const page = pageFolder();
  if (page !== undefined) {
    const { showPage } = await import("../demo/show-page.ts");
    return showPage(io, stage, page);
  }
  await note(io, `The inspector would show these calls; its page is not built: ${BUILD_HINT}`);
}

/** Plays the tour on an embedded GitHub: no account, no token, no network. */
export const run: RunCommand = async ({ positionals: [extra] }, io) => {
  if (extra !== undefined)
    throw new UsageError(
      `waybill demo takes no arguments, but got ${JSON.stringify(extra)}; leave it out`,
    );
  await printText(
    io,
    "A tour on an embedded GitHub. Nothing leaves this machine, and nothing is stored.",
  );
  const stage = await openStage(io);
  try {
    await showAll(io, stage);
    await goOn(io, stage);
  } finally {
    await stage.close();
  }
  return EXIT.ok;
};
