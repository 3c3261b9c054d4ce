import type { RunCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { openCodeBase } from "../inspect/code-base.ts";
import { BUILD_HINT, pageFolder } from "../inspect/page-folder.ts";
import { sourceKinds } from "../inspect/source-kinds.ts";
import { signedInAccounts } from "../inspect/signed-in-accounts.ts";
import { serveInspector } from "../inspect/serve-inspector.ts";
import { warn } from "../io.ts";
import type { Io } from "../io.ts";
import { portIn } from "../listen.ts";
import { UsageError } from "../words/usage-error.ts";
import { withWaybill } from "../waybill/index.ts";
import { getRoot } from "./graph-root.ts";

/** The page can search all capabilities, including unlisted ones. */
const SEEN = { unlisted: true };

/** If the page was not built, its API is still served. */
async function builtPage(io: Io): Promise<string | undefined> {
  const page = pageFolder();
  if (page === undefined) await warn(io, [`the inspector's page is not built here: ${BUILD_HINT}`]);
  return page;
}

export const run: RunCommand = async (words, io) => {
  const [extra] = words.positionals;
  if (extra !== undefined) {
    throw new UsageError(
      `waybill inspect takes no arguments, but got ${JSON.stringify(extra)}; leave it out`,
    );
  }
  const port = portIn(words);
  const page = await builtPage(io);
  const mayOpen = !words.switches.has("no-open");
  const codeBase = openCodeBase(getRoot(words, io));
  // Reads the code base before the first question only if the user named one.
  if (words.values.has("root")) codeBase.readAhead();
  const { workspace: code, graph } = codeBase;
  try {
    await withWaybill(
      io,
      async (waybill, opened) => {
        // Opens the sources immediately, so that the page can show their states.
        waybill.list_capabilities().catch(() => {});
        const { history, handles } = opened;
        const kinds = sourceKinds(opened.config);
        const accounts = signedInAccounts(opened.config, io);
        const shown = { history: history!, handles, page, kinds, accounts, graph };
        await serveInspector(io, { waybill, port, mayOpen, ...shown });
      },
      { ...SEEN, code },
      { isRecorded: true, via: "inspect" },
    );
  } finally {
    await codeBase.close();
  }
  return EXIT.ok;
};
