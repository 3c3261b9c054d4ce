import { createRedactor } from "@waybill/core";
import { openHistory } from "@waybill/state";
import { stateFiles } from "@waybill/state/files";
import type { EffectiveConfig, History } from "@waybill/state";
import { warn } from "../io.ts";
import type { Io } from "../io.ts";
import type { Secrets } from "./sources/secrets.ts";

/** The history of calls, without secrets, in a file beside the journal. */
export function historyIn({ state }: EffectiveConfig, secrets: Secrets): History {
  const redactor = createRedactor(() => secrets.known);
  return openHistory({ path: stateFiles(state).history, redact: (value) => redactor.value(value) });
}

/** A failed write to the history does not fail the calls, but it prints a warning. */
export async function closeHistory(io: Io, history: History): Promise<void> {
  await history.close();
  if (history.problem !== undefined) await warn(io, [history.problem]);
}
