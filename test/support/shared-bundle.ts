import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { inject } from "vitest";
import { bundleProgram } from "./bundle.ts";

/** A bundled program of ours. The first test file that needs it builds it. */
export async function sharedBundle(entry: URL): Promise<string> {
  const name = `${entry.href} ${process.env["WAYBILL_MUTANT"] ?? ""}`;
  const folder = join(inject("bundles"), createHash("sha256").update(name).digest("hex"));
  const isFirst = await mkdir(folder).then(
    () => true,
    () => false,
  );
  const told = join(folder, "bundled");
  if (isFirst) {
    const file = await bundleProgram(entry, folder);
    await writeFile(told, file);
    return file;
  }
  while (!existsSync(told)) await delay(20);
  return readFile(told, "utf8");
}
