import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fail, loadChecker } from "@waybill/core";
import type { CompiledSchema } from "@waybill/core";
import { RULES_FILE } from "../settings/index.ts";
import { checkFunctions } from "./check-functions.ts";
import { PlaceMatcher } from "./places.ts";
import type { LayerRules, Place } from "./rule.ts";
import { LayerRulesSchema } from "./rules-schema.ts";
import { viaParts } from "./via.ts";

let compiled: CompiledSchema | undefined;

/**
 * Checks rules as they came; patterns are compiled once so that a bad one is named here. `functions`
 * are those that files were read by, where that was settled before.
 */
export async function parseRules(
  value: unknown,
  place: string,
  functions?: readonly string[],
): Promise<LayerRules> {
  compiled ??= (await loadChecker()).compile(LayerRulesSchema);
  if (!compiled.check(value)) {
    const issues = compiled.issues(value).slice(0, 5);
    const [first] = issues;
    const why = first === undefined ? "is not valid" : `${first.path || "it"} ${first.message}`;
    throw fail("VALIDATION", `${place} cannot be used: ${why}`, { issues });
  }
  const rules = value as LayerRules;
  for (const part of placesOf(rules)) new PlaceMatcher(part).check();
  checkFunctions(rules, place, functions);
  return rules;
}

function* placesOf({ forbidden = [], allowed = [], required = [] }: LayerRules): Generator<Place> {
  for (const { from = {}, to = {} } of [...forbidden, ...allowed]) {
    yield* [from, to, ...viaParts(to).flatMap(({ part }) => part)];
    const words = [to.license, to.licenseNot, to.exoticRequire, to.exoticRequireNot];
    yield* words.flatMap((path) => (path === undefined ? [] : { path }));
  }
  for (const { module = {} } of forbidden) yield module;
  for (const { module, to } of required) yield* [module, to];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw fail("VALIDATION", `${RULES_FILE} is not JSON: ${why}`, {
      hint: `Mend ${RULES_FILE}; nothing was changed in it`,
    });
  }
}

/** The rules of a repository; none where there is no file. */
export async function loadRules(root: string): Promise<LayerRules> {
  let text: string;
  try {
    text = await readFile(join(root, RULES_FILE), "utf8");
  } catch (error) {
    if (Reflect.get(Object(error), "code") === "ENOENT") return {};
    throw fail("VALIDATION", `${RULES_FILE} cannot be read`, {}, { cause: error });
  }
  return parseRules(parsed(text), RULES_FILE);
}
