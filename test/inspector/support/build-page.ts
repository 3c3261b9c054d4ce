import { capture } from "../../../scripts/run.mjs";

const HANGS_MS = 1_500_000;

/** Builds the current page into a folder, so that no test uses an outdated one. */
export async function buildPage(folder: string): Promise<string> {
  const words = ["run", "--silent", "build", "-w", "packages/inspector", "--"];
  const args = [...words, "--outDir", folder, "--emptyOutDir"];
  const { ok, output } = await capture("npm", args, { timeout: HANGS_MS });
  if (!ok) throw new Error(output);
  return folder;
}
