import { resolve } from "node:path";
import { leadsOut } from "@waybill/state/files";
import type { Io } from "../io.ts";
import { UsageError } from "../words/usage-error.ts";

/**
 * The full path of a file to write. Refuses a symbolic link that leads out of the current folder: a
 * clone could contain one with a common name, and the command would overwrite a private file.
 */
export async function pathToWrite({ cwd }: Io, path: string): Promise<string> {
  const place = resolve(cwd, path);
  if (!(await leadsOut(resolve(cwd), place))) return place;
  throw new UsageError(`${path} is a link that leads out of this folder; nothing was written`, {
    hint: "Choose another name, or give the path of the file itself",
  });
}
