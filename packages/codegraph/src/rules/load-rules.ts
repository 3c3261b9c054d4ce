import { fail } from "@waybill/core";
import { loadChecker } from "@waybill/core/schema";
import type { CompiledSchema } from "@waybill/core/schema";
import { RULES_FILE, readOwnFile } from "../settings/index.ts";
import { checkFunctions } from "./check-functions.ts";
import { PlaceMatcher, listedPaths } from "./places.ts";
import type { LayerRules, Paths, Place } from "./rule.ts";
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
  for (const part of rulePatterns(rules)) {
    for (const text of [...listedPaths(part.path), ...listedPaths(part.pathNot)]) checkGlob(text);
    new PlaceMatcher(part).check();
  }
  for (const path of ruleProblem(rules)) new PlaceMatcher({ path }).check();
  checkFunctions(rules, place, functions);
  return rules;
}

function* rulePatterns({
  forbidden = [],
  allowed = [],
  required = [],
}: LayerRules): Generator<Place> {
  for (const { from = {}, to = {} } of [...forbidden, ...allowed]) {
    yield* [from, to, ...viaParts(to).flatMap(({ part }) => part)];
  }
  for (const { module = {} } of forbidden) yield module;
  for (const { module, to } of required) yield* [module, to];
}

/** Globs that are not of paths. */
function ruleProblem({ forbidden = [], allowed = [] }: LayerRules): Paths[] {
  return [...forbidden, ...allowed].flatMap(({ to = {} }) => {
    const words = [to.license, to.licenseNot, to.exoticRequire, to.exoticRequireNot];
    return words.filter((word) => word !== undefined);
  });
}

/** A folder may be called `$`, and a character may have lost its meaning. */
const EXPRESSION = /^\^|[^/\\]\$$/u;

/** Where other tools take regular expressions, one would match nothing here and look kept. */
function checkGlob(pattern: string): void {
  if (!EXPRESSION.test(pattern)) return;
  const shown = JSON.stringify(pattern.slice(0, 60));
  throw fail("VALIDATION", `The pattern ${shown} looks like a regular expression`, {
    hint: "Paths are prefixes or globs: src/ui, src/ui/**, src/*/index.ts; without ^ and $",
  });
}

function parseRulesText(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw fail("VALIDATION", `${RULES_FILE} is not JSON: ${why}`, {
      hint: `Fix ${RULES_FILE}; nothing was changed in it`,
    });
  }
}

/** The rules of a repository; none where there is no file. */
export async function loadRules(root: string): Promise<LayerRules> {
  const text = await readOwnFile(root, RULES_FILE);
  return text === undefined ? {} : parseRules(parseRulesText(text), RULES_FILE);
}
