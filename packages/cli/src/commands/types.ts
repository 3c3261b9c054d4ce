import type { OperationSpec, Waybill } from "@waybill/core";
import { writeWhole } from "@waybill/state/files";
import type { RunCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { note, printSource } from "../io.ts";
import { printCapabilityTypes } from "../types/print-capabilities.ts";
import { UsageError } from "../words/usage-error.ts";
import { withWaybill } from "../waybill/index.ts";
import { pathToWrite } from "./path-to-write.ts";

/** The listed capabilities, or all of them. Subscriptions have no types. */
async function readSpecs(waybill: Waybill, isAll: boolean): Promise<OperationSpec[]> {
  const all = (await waybill.operations()).filter(({ kind }) => kind === "call");
  if (isAll) return all;
  const listed = await waybill.list_capabilities();
  const shown = new Set(listed.map(({ capability_id }) => capability_id));
  return all.filter(({ id }) => shown.has(id));
}

export const run: RunCommand = async ({ positionals: [extra], values, switches }, io) => {
  if (extra !== undefined) {
    throw new UsageError(`waybill types takes no arguments, but got ${JSON.stringify(extra)}`, {
      hint: "waybill types --out waybill.d.ts",
    });
  }
  const isAll = switches.has("all");
  const wanted = isAll ? { unlisted: true } : {};
  const specs = await withWaybill(io, (waybill) => readSpecs(waybill, isAll), wanted);
  const print = switches.has("code")
    ? (await import("../types/print-code.ts")).printCodeTypes
    : printCapabilityTypes;
  const text = print(specs);
  const out = values.get("out");
  if (out === undefined) await printSource(io, text);
  else {
    await writeWhole(await pathToWrite(io, out), text);
    await note(io, `waybill: wrote the types of ${specs.length} capabilities to ${out}`);
  }
  return EXIT.ok;
};
