import { runGit } from "./run.ts";
import type { GitRun } from "./run.ts";

/** The commit that is checked out; undefined where there is none. */
export async function headRev(options: GitRun): Promise<string | undefined> {
  const output = await runGit(["rev-parse", "--verify", "--quiet", "HEAD"], options);
  return output?.trim() || undefined;
}
