import { listCapabilities, printCapabilities } from "../output/capability-lines.ts";
import { wantsJson } from "../output/wants-json.ts";
import type { RunCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { givenOptions, numberValue } from "../words/option-values.ts";
import { UsageError } from "../words/usage-error.ts";

export const run: RunCommand = async (words, io) => {
  const {
    positionals: [extra],
    values,
  } = words;
  if (extra !== undefined) {
    throw new UsageError(
      `waybill capabilities list takes no arguments, but got ${JSON.stringify(extra)}`,
      {
        hint: `waybill capabilities search ${extra}`,
      },
    );
  }
  const domain = values.get("domain");
  const within = givenOptions({ domain, wait_ms: numberValue(words, "wait-ms") });
  const items = await listCapabilities(io, within, { domain });
  // Raw operations are not listed, because there are over a thousand.
  const next = domain === undefined ? "waybill source add" : "waybill capabilities search <words>";
  const place =
    domain === undefined ? "is configured here; add" : `is listed below ${domain}; find`;
  const none = `no capability ${place} one with: ${next}`;
  await printCapabilities(io, items, wantsJson(words, io), none);
  return EXIT.ok;
};
