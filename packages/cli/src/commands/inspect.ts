import type { RunCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { openCodeBase } from "../inspect/code-base.ts";
import { BUILD_HINT, pageFolder } from "../inspect/page-folder.ts";
import { serveInspector } from "../inspect/serve-inspector.ts";
import { warn } from "../io.ts";
import type { Io } from "../io.ts";
import { portIn } from "../listen.ts";
import { UsageError } from "../usage-error.ts";
import { withWaybill } from "../waybill/index.ts";
import type { Opened } from "../waybill/index.ts";
import { rootOf } from "./graph-root.ts";

/** Whoever looks may look for anything. */
const SEEN = { unlisted: true };

/** Without the page itself, what it asks for is served all the same. */
async function builtPage(io: Io): Promise<string | undefined> {
  const page = pageFolder();
  if (page === undefined) await warn(io, [`the inspector's page is not built here: ${BUILD_HINT}`]);
  return page;
}

/** Of packs the name says it; what is configured is of a kind. */
function kindsOf({ config }: Opened): Record<string, string> {
  const configured = Object.entries(config.sources).map(([name, { kind }]) => [name, kind]);
  const packs = config.packs.map((name) => [name, "pack"]);
  return Object.fromEntries([...packs, ["graph", "code graph"], ...configured]) as Record<
    string,
    string
  >;
}

export const run: RunCommand = async (words, io) => {
  const [extra] = words.positionals;
  if (extra !== undefined) {
    throw new UsageError(`waybill inspect takes no ${JSON.stringify(extra)}`);
  }
  const port = portIn(words);
  const page = await builtPage(io);
  const mayOpen = !words.switches.has("no-open");
  const codeBase = openCodeBase(rootOf(words, io));
  // Only who names a code base is known to want to see it.
  if (words.values.has("root")) codeBase.readAhead();
  const { workspace: code, graph } = codeBase;
  try {
    await withWaybill(
      io,
      async (waybill, opened) => {
        // So that how the sources stand is known before it is asked for.
        waybill.list_capabilities().catch(() => {});
        const { history } = opened;
        const kinds = kindsOf(opened);
        await serveInspector(io, { waybill, history: history!, page, port, kinds, graph, mayOpen });
      },
      { ...SEEN, code },
      { isRecorded: true, via: "inspect" },
    );
  } finally {
    await codeBase.close();
  }
  return EXIT.ok;
};
