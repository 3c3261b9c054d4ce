import { signatureLines } from "@waybill/core/protocol";
import {
  askCapabilities,
  listCapabilities,
  printCapabilities,
} from "../output/capability-lines.ts";
import { wantsJson } from "../output/wants-json.ts";
import type { RunCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { note, printText } from "../io.ts";
import { givenOptions, numberValue } from "../words/option-values.ts";
import { UsageError } from "../words/usage-error.ts";

export const run: RunCommand = async (words, io) => {
  const { positionals } = words;
  const query = positionals.join(" ").trim();
  if (query === "") {
    throw new UsageError("waybill capabilities search needs words to search for", {
      hint: "waybill capabilities search open an issue",
    });
  }
  const wait = givenOptions({ wait_ms: numberValue(words, "wait-ms") });
  const none = `nothing matches ${JSON.stringify(query)}; try other words, or run: waybill capabilities list`;
  if (words.switches.has("brief")) {
    const lines = await askCapabilities(
      io,
      (waybill) => signatureLines(waybill, { query, ...wait }),
      { unlisted: true },
    );
    if (lines.length === 0) await note(io, `waybill: ${none}`);
    else await printText(io, lines.join("\n"));
    return EXIT.ok;
  }
  const items = await listCapabilities(io, { query, ...wait }, { unlisted: true });
  await printCapabilities(io, items, wantsJson(words, io), none);
  return EXIT.ok;
};
