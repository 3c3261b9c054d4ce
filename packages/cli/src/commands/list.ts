import { printCapabilities } from "../capability-lines.ts";
import type { RunCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { UsageError } from "../usage-error.ts";
import { withWaybill } from "../waybill/index.ts";

export const run: RunCommand = async ({ positionals: [extra], values, switches }, io) => {
  if (extra !== undefined) {
    throw new UsageError(`waybill capabilities list takes no ${JSON.stringify(extra)}`, {
      hint: `waybill capabilities search ${extra}`,
    });
  }
  const domain = values.get("domain");
  const within = domain === undefined ? {} : { domain };
  const items = await withWaybill(io, (waybill) => waybill.list_capabilities(within));
  const place = domain === undefined ? "is configured here" : `is below ${domain}`;
  await printCapabilities(io, items, switches.has("json"), `no capability ${place}`);
  return EXIT.ok;
};
