import { rmSync } from "node:fs";
import type { TestProject } from "vitest/node";
import { makeBundleFolder } from "./bundle.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The folder of the programs that the tests of this run have bundled. */
    bundles: string;
  }
}

export default function setUp(project: TestProject): () => void {
  const folder = makeBundleFolder();
  project.provide("bundles", folder);
  return () => rmSync(folder, { recursive: true, force: true });
}
