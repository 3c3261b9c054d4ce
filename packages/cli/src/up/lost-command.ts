import { fail } from "@waybill/core";
import { main } from "../cli.ts";
import { EXIT } from "../exit-codes.ts";
import type { ExitCode } from "../exit-codes.ts";
import { findCommand } from "../words/find-command.ts";
import { note } from "../io.ts";
import type { Io } from "../io.ts";
import { parseWords } from "../words/parse-words.ts";
import { reportFailure } from "../output/report-failure.ts";
import { withWaybill } from "../waybill/index.ts";

async function isRead(io: Io, id: string): Promise<boolean> {
  try {
    const { spec } = await withWaybill(io, (waybill) => waybill.describe(id), { ids: [id] });
    return spec.effect === "read";
  } catch {
    return false;
  }
}

/**
 * Whether the command can be repeated safely: reads can, and so can writes with an idempotency key,
 * because both processes share the journal.
 */
async function mayRepeat(io: Io): Promise<boolean> {
  const { command, rest } = await findCommand(io.argv);
  const { values, switches, positionals } = await parseWords(command, rest);
  if (values.has("idempotency-key") || switches.has("dry-run")) return true;
  if (command.name.startsWith("capabilities")) return true;
  return command.name === "run" && (await isRead(io, positionals[0] ?? ""));
}

const UNKNOWN = fail("NETWORK", "The process of waybill up ended during the call", {
  outcome: "unknown",
  hint: "A write may have been applied. Check before you repeat it, and use --idempotency-key",
});

/** Handles the case that the background process ended before the command did. */
export async function afterLost(io: Io, hasPrinted: boolean): Promise<ExitCode> {
  if (hasPrinted) {
    await note(
      io,
      "waybill: the process of waybill up ended before the answer was complete; check the effect of a write before you repeat it",
    );
    return EXIT.failed;
  }
  return (await mayRepeat(io).catch(() => false)) ? main(io) : reportFailure(io, UNKNOWN);
}
