import { join } from "node:path";
import { errorFromUnknown } from "@waybill/core";
import { loadConfig } from "@waybill/state";
import type { SourceConfig } from "@waybill/state";
import { ensurePrivateFolder, stateFiles, takeLock } from "@waybill/state/files";
import type { RunCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { note, printText, warn } from "../io.ts";
import { operationCount } from "../sources/describe.ts";
import { unknownWord } from "../words/usage-error.ts";
import { orUsageError, withSurroundings } from "../waybill/index.ts";
import { isDescribed, keepIndex } from "../waybill/kept-sources.ts";

/** All sources with a description, or the named one. */
async function chosenSources(
  sources: Readonly<Record<string, SourceConfig>>,
  [name]: readonly string[],
): Promise<[string, SourceConfig][]> {
  const all = Object.entries(sources).filter(([, config]) => isDescribed(config));
  if (name === undefined) return all;
  const found = all.filter(([known]) => known === name);
  if (found.length > 0) return found;
  const names = all.map(([known]) => known);
  const message = `There is no source with a description called ${name}`;
  throw await unknownWord(message, name, names, "waybill source list");
}

/** Reads one source at a time, because descriptions are large and no user waits for the result. */
export const run: RunCommand = async ({ positionals }, io) => {
  const config = await orUsageError(loadConfig(io));
  const sources = await chosenSources(config.sources, positionals);
  const folder = stateFiles(config.state).index;
  await ensurePrivateFolder(folder);
  const lock = await takeLock(join(folder, "refresh.lock"), { waitMs: 0 });
  if (lock === undefined) {
    await note(io, "waybill: another process is already refreshing the sources");
    return EXIT.ok;
  }
  let hasFailed = false;
  const refresh = async (name: string, source: SourceConfig): Promise<void> => {
    await withSurroundings(
      io,
      config,
      async (open, around) => {
        const opened = await open(name, source);
        try {
          const listed = await opened.list();
          await keepIndex(name, source, opened, around);
          await printText(io, `${name} ${operationCount(listed.length)}`);
        } finally {
          await opened.close();
        }
      },
      { isFresh: false },
    );
  };
  try {
    for (const [name, source] of sources) {
      await refresh(name, source).catch(async (thrown: unknown) => {
        hasFailed = true;
        await warn(io, [`${name}: ${errorFromUnknown(thrown).message}`]);
      });
    }
    return hasFailed ? EXIT.failed : EXIT.ok;
  } finally {
    await lock.release();
  }
};
