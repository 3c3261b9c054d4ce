import { join } from "node:path";
import { createHttpTransport } from "@waybill/adapters/http";
import { createWaybill, isCallError } from "@waybill/core";
import type { Waybill } from "@waybill/core";
import { loadConfig, openHandleStore, openJournal } from "@waybill/local";
import type { EffectiveConfig } from "@waybill/local";
import { warn } from "../io.ts";
import type { Io } from "../io.ts";
import { UsageError } from "../usage-error.ts";
import { stateApprover } from "./approver.ts";
import { gatherSources } from "./gather-sources.ts";
import { keptTexts } from "./kept-texts.ts";

/** A file that cannot be understood is a mistake of the same kind as a flag that cannot be. */
export async function orUsageError<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    throw isCallError(error) ? new UsageError(error.message, error.details) : error;
  }
}

/** What stands in the state folder is opened by the first call that needs it. */
function keptIn({ state }: EffectiveConfig): Partial<Parameters<typeof createWaybill>[0]> {
  return {
    journal: openJournal({ path: join(state, "journal.db") }),
    handles: keptTexts(openHandleStore({ path: join(state, "results") })),
    approver: stateApprover(state),
  };
}

/** Runs something with the Waybill that is configured where the command was called. */
export async function withWaybill<T>(io: Io, use: (waybill: Waybill) => Promise<T>): Promise<T> {
  const config = await orUsageError(loadConfig(io));
  const transport = createHttpTransport();
  const { operations, secrets, warnings } = await gatherSources(config.sources, {
    env: io.env,
    transport,
  });
  await warn(io, [...config.warnings, ...warnings]);
  const { policy } = config;
  const waybill = createWaybill({ operations, policy, secrets: () => secrets, ...keptIn(config) });
  try {
    return await use(waybill);
  } finally {
    transport.close();
    await waybill.close();
  }
}
