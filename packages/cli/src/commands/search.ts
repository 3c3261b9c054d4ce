import { printCapabilities } from "../capability-lines.ts";
import type { RunCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { UsageError } from "../usage-error.ts";
import { withWaybill } from "../waybill/index.ts";

export const run: RunCommand = async ({ positionals, switches }, io) => {
  const query = positionals.join(" ").trim();
  if (query === "") {
    throw new UsageError("waybill capabilities search needs words to search for", {
      hint: "waybill capabilities search open an issue",
    });
  }
  const items = await withWaybill(io, (waybill) => waybill.list_capabilities({ query }), {
    unlisted: true,
  });
  const none = `nothing matches ${JSON.stringify(query)}`;
  await printCapabilities(io, items, switches.has("json"), none);
  return EXIT.ok;
};
