import { existsSync } from "node:fs";
import { errorFromUnknown } from "@waybill/core";
import { hasSqlite, openApprovals, openHistory } from "@waybill/state";
import type { EffectiveConfig } from "@waybill/state";
import { stateFiles } from "@waybill/state/files";
import { broken, missingFinding } from "./finding.ts";
import type { Finding } from "./finding.ts";

/** Reads a store if its file exists. If it cannot be read, returns the reason. */
async function examineStore<Store extends { close(): Promise<void> }>(
  path: string,
  open: () => Store,
  read: (store: Store) => Promise<unknown>,
  describe: (says: string, fix: string) => Finding,
): Promise<readonly Finding[]> {
  if (!existsSync(path)) return [];
  const store = open();
  try {
    await read(store);
    return [];
  } catch (error) {
    const { message, details } = errorFromUnknown(error);
    return [describe(message, details.hint ?? "")];
  } finally {
    await store.close();
  }
}

/**
 * Reports the approvals and the history if their files are damaged. Calls that need an approval are
 * refused without the approvals file; calls are not recorded without the history file.
 */
export async function lookAtRecords({ state }: EffectiveConfig): Promise<readonly Finding[]> {
  if (!(await hasSqlite())) return [];
  const { approvals, history } = stateFiles(state);
  const asked = await examineStore(
    approvals,
    () => openApprovals({ path: approvals }),
    (store) => store.list(),
    (says, fix) => broken("approvals", says, fix),
  );
  const past = await examineStore(
    history,
    () => openHistory({ path: history, redact: (value) => value }),
    (store) => store.calls(),
    (says, fix) => missingFinding("history", says, fix),
  );
  return [...asked, ...past];
}
