import { fail } from "@waybill/core";
import { loadChecker } from "@waybill/core/schema";
import type { CompiledSchema } from "@waybill/core/schema";
import { RULES_FILE, readOwnFile } from "../settings/index.ts";
import { checkFunctions } from "./check-functions.ts";
import { PlaceMatcher, listedPaths } from "./places.ts";
import type { LayerRules, Paths, Place } from "./rule.ts";
import { LayerRulesSchema } from "./rules-schema.ts";
import { viaParts } from "./via-matcher.ts";

let compiled: CompiledSchema | undefined;

/**
 * Validates rules. Compiles the patterns once, so that an invalid one is reported here. `functions`
 * are the loading functions that files were read with, if known.
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

/** The globs of rules that match licences or functions, not paths. */
function ruleProblem({ forbidden = [], allowed = [] }: LayerRules): Paths[] {
  return [...forbidden, ...allowed].flatMap(({ to = {} }) => {
    const words = [to.license, to.licenseNot, to.exoticRequire, to.exoticRequireNot];
    return words.filter((word) => word !== undefined);
  });
}

/**
 * Text that looks like a regular expression. A folder may be named `$`, and characters may be
 * escaped.
 */
const EXPRESSION = /^\^|[^/\\]\$$/u;

/**
 * Refuses regular expressions, which other tools use: as a glob one would match nothing, and the
 * rule would look satisfied.
 */
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

/** The rules of a repository; empty if there is no file. */
export async function loadRules(root: string): Promise<LayerRules> {
  const text = await readOwnFile(root, RULES_FILE);
  return text === undefined ? {} : parseRules(parseRulesText(text), RULES_FILE);
}
