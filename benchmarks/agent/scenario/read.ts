import { readFileSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { z } from "zod";
import type { Scenario } from "../types.ts";
import { scenarioSchema } from "./schema.ts";

export const SCENARIOS = fileURLToPath(new URL("../scenarios", import.meta.url));

/** Reads one scenario. Throws an error with the file's name and the problem. */
export function readScenario(file: string): Scenario {
  const read = scenarioSchema.safeParse(parse(readFileSync(file, "utf8")));
  if (!read.success) throw new Error(`${file}: ${z.prettifyError(read.error)}`);
  const name = basename(file, ".yaml");
  if (read.data.id !== name) throw new Error(`${file}: its id must be ${name}`);
  return read.data;
}

/** All scenarios, sorted by id. */
export function readScenarios(folder = SCENARIOS): Scenario[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".yaml"))
    .map((name) => readScenario(join(folder, name)))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
}
