import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { capture } from "../../../scripts/run.mjs";

/** Builds the page as it is now, so that no test looks at an old one. */
export async function buildPage(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "waybill-page-"));
  const words = ["run", "--silent", "build", "-w", "packages/inspector", "--"];
  const { ok, output } = await capture("npm", [...words, "--outDir", folder, "--emptyOutDir"]);
  if (!ok) throw new Error(output);
  return folder;
}
