import { bundleProgram } from "./bundle.ts";
import { oncePerRun } from "./once-per-run.ts";

/** A bundled program of ours. The first test file that needs it builds it. */
export function sharedBundle(entry: URL): Promise<string> {
  return oncePerRun(entry.href, (folder) => bundleProgram(entry, folder));
}
