import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { capture } from "../../../scripts/run.mjs";

const HANGS_MS = 1_500_000;

/** Builds the current page, so that no test looks at an old one. */
export async function buildPage(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "waybill-page-"));
  const words = ["run", "--silent", "build", "-w", "packages/inspector", "--"];
  const args = [...words, "--outDir", folder, "--emptyOutDir"];
  const { ok, output } = await capture("npm", args, { timeout: HANGS_MS });
  if (!ok) throw new Error(output);
  return folder;
}
