import { loadConfig } from "@waybill/state";
import type { RunCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { note, printJson, printText, warn } from "../io.ts";
import { sourceAddress } from "../sources/describe.ts";
import { UsageError } from "../words/usage-error.ts";
import { orUsageError } from "../waybill/index.ts";

export const run: RunCommand = async ({ positionals: [extra], switches }, io) => {
  if (extra !== undefined) {
    throw new UsageError(
      `waybill source list takes no arguments, but got ${JSON.stringify(extra)}; leave it out`,
    );
  }
  const { sources, places, untrusted, warnings } = await orUsageError(loadConfig(io));
  await warn(io, warnings);
  const usable = Object.entries(sources).map(([name, config]) => {
    const origin = places[name]?.origin;
    return { name, kind: config.kind, place: sourceAddress(config), origin, trusted: true };
  });
  const waiting = Object.entries(untrusted).map(([name, { kind }]) => {
    return { name, kind, place: "needs trust", origin: "project", trusted: false };
  });
  const items = [...usable, ...waiting];
  if (switches.has("json")) await printJson(io, items);
  else if (items.length === 0)
    await note(io, "waybill: no source is configured here; add one with: waybill source add");
  else {
    await printText(
      io,
      items.map(({ name, kind, place }) => `${name} ${kind} ${place}`).join("\n"),
    );
  }
  return EXIT.ok;
};
