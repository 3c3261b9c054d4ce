import { listCapabilities, printCapabilities } from "../capability-lines.ts";
import type { RunCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { given, numberValue } from "../option-values.ts";
import { UsageError } from "../usage-error.ts";

export const run: RunCommand = async (words, io) => {
  const { positionals, switches } = words;
  const query = positionals.join(" ").trim();
  if (query === "") {
    throw new UsageError("waybill capabilities search needs words to search for", {
      hint: "waybill capabilities search open an issue",
    });
  }
  const wait = given({ wait_ms: numberValue(words, "wait-ms") });
  const items = await listCapabilities(io, { query, ...wait }, { unlisted: true });
  const none = `nothing matches ${JSON.stringify(query)}`;
  await printCapabilities(io, items, switches.has("json"), none);
  return EXIT.ok;
};
