import { join } from "node:path";
import { fail } from "@waybill/core";
import { readPlainFile } from "@waybill/state/files";

/** The folder of saved graphs. It is not committed, unlike the annotations and rules beside it. */
export const CACHE_FOLDER = ".waybill/graph/cache";

const MAX_BYTES = 64_000_000;

function systemErrorCode(error: unknown): unknown {
  return Reflect.get(Object(error), "code");
}

const REASONS: ReadonlyMap<unknown, string> = new Map([
  ["EISDIR", "it is a folder"],
  ["EACCES", "its permissions do not allow it"],
  ["EPERM", "its permissions do not allow it"],
  ["ELOOP", "it is a link to itself"],
]);

/** The text of a settings file in the tree. Undefined if the file or its folder does not exist. */
export async function readOwnFile(root: string, path: string): Promise<string | undefined> {
  try {
    return String(await readPlainFile(join(root, path), MAX_BYTES));
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    const why = REASONS.get(code) ?? (error instanceof Error ? error.message : String(error));
    const hint = `Make ${path} a file that can be read, or move it away; it was not changed`;
    throw fail("VALIDATION", `${path} cannot be read: ${why}`, { hint }, { cause: error });
  }
}
