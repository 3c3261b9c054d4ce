import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { inject } from "vitest";

/** The path of the result, or why it could not be created. */
interface Made {
  readonly path?: string;
  readonly failure?: string;
}

/** Writes the file in one step, so that others never see half of it. */
async function tell(file: string, made: Made): Promise<void> {
  await writeFile(`${file}.new`, JSON.stringify(made));
  await rename(`${file}.new`, file);
}

/** Each mutant has its own folder, because a mutant may change the result. */
function folderFor(name: string): string {
  const made = `${name} ${process.env["WAYBILL_MUTANT"] ?? ""}`;
  return join(inject("bundles"), createHash("sha256").update(made).digest("hex"));
}

/**
 * Creates something slow once for all test files. The first file that needs it creates it in its
 * own folder, and the others wait for its path.
 */
export async function oncePerRun(
  name: string,
  make: (folder: string) => Promise<string>,
): Promise<string> {
  const folder = folderFor(name);
  const told = `${folder}.json`;
  const isFirst = await mkdir(folder).then(
    () => true,
    () => false,
  );
  if (isFirst) {
    const made = await make(folder).then(
      (path): Made => ({ path }),
      (thrown: unknown): Made => ({ failure: String(thrown) }),
    );
    await tell(told, made);
  }
  while (!existsSync(told)) await delay(20);
  const { path, failure } = JSON.parse(await readFile(told, "utf8")) as Made;
  if (path === undefined) throw new Error(failure);
  return path;
}
