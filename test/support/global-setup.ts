import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { root } from "../../scripts/run.mjs";

declare module "vitest" {
  interface ProvidedContext {
    /** Where programs are that the tests of this run have bundled. */
    bundles: string;
  }
}

export default function setUp(project: TestProject): () => void {
  const cache = join(root, "node_modules/.cache/waybill");
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "bundles-"));
  project.provide("bundles", folder);
  return () => rmSync(folder, { recursive: true, force: true });
}
