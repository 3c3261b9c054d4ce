import type { CallError } from "@waybill/core";
import { stateFiles } from "../files/index.ts";
import { FileDoor, loadDriver } from "../sqlite/index.ts";
import { storeFailure } from "./failure.ts";
import { isAbsent } from "./is-absent.ts";
import { Store } from "./store.ts";

const WAIT_MS = 5_000;

/**
 * Rewrites a value, which detects a full disk, and reads every record, which detects a changed
 * one.
 */
function examine(store: Store): void {
  store.transaction(() => store.touch());
  store.checkAll();
}

/**
 * Checks the whole journal in a file (default: `journal.db` in the user's state folder). Returns
 * the problem as an error whose hint says how to recover, or undefined if keyed writes work. A file
 * that does not exist yet is no problem.
 */
export async function examineJournal(
  path: string = stateFiles().journal,
): Promise<CallError | undefined> {
  const door = new FileDoor(() => Store.open(path), WAIT_MS);
  try {
    await ((await isAbsent(path)) ? loadDriver() : door.use(examine));
    return undefined;
  } catch (error) {
    return storeFailure(error, path, "unknown");
  } finally {
    await door.close();
  }
}
