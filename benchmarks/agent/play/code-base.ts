import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const SOURCES = join(dirname(createRequire(import.meta.url).resolve("zod/package.json")), "src");

export interface CodeBase {
  readonly folder: string;
  remove(): void;
}

/** The code base for questions: a copy of a pinned package's sources, zod 4. */
export function copyCodeBase(): CodeBase {
  const above = mkdtempSync(join(tmpdir(), "waybill-code-"));
  // Answers contain the folder's name, so it is fixed.
  const folder = join(above, "zod");
  cpSync(join(SOURCES, "v4"), folder, { recursive: true });
  return { folder, remove: () => rmSync(above, { recursive: true, force: true }) };
}
