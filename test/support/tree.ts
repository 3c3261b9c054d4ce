import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** Writes files into a temporary folder that is removed after the test. */
export function writeTree(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "waybill-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}
