import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { z } from "zod";
import type { Scenario } from "../types.ts";
import { scenarioSchema } from "./schema.ts";

export const SCENARIOS = fileURLToPath(new URL("../scenarios", import.meta.url));

/** One scenario; throws with the file's name and what is wrong in it. */
export function readScenario(file: string): Scenario {
  const read = scenarioSchema.safeParse(parse(readFileSync(file, "utf8")));
  if (read.success) return read.data;
  throw new Error(`${file}: ${z.prettifyError(read.error)}`);
}

/** All scenarios, in the order of their files' names. */
export function readScenarios(folder = SCENARIOS): Scenario[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".yaml"))
    .toSorted()
    .map((name) => readScenario(join(folder, name)));
}
