import { fail } from "@waybill/core";
import { isFunctionName, RULES_FILE } from "../settings/index.ts";
import { PlaceMatcher } from "./places.ts";
import type { LayerRules, ToPart } from "./rule.ts";

/**
 * Refuses rules about loading functions that files were not read with: such a rule could never
 * match, and would look satisfied. `functions` are those that files were read with.
 */
export function checkFunctions(
  rules: LayerRules,
  place: string,
  functions: readonly string[] = rules.exoticRequireStrings ?? [],
): void {
  const why = problemIn(rules, functions);
  if (why === undefined) return;
  throw fail("VALIDATION", `${place} cannot be used: ${why}`, {
    hint: `Name the functions in ${RULES_FILE}: "exoticRequireStrings": ["window.require"]`,
  });
}

function problemIn(rules: LayerRules, functions: readonly string[]): string | undefined {
  const { forbidden = [], allowed = [], exoticRequireStrings: named = [] } = rules;
  const wrong = named.find((name) => !isFunctionName(name));
  if (wrong !== undefined) return `${JSON.stringify(wrong)} is not a function name`;
  const unread = named.find((name) => !functions.includes(name));
  if (unread !== undefined)
    return `${unread} was not one of the loading functions when the files were read`;
  const parts = [...forbidden, ...allowed].map(({ to = {} }) => to);
  if (functions.length === 0 && parts.some(asksForFunctions)) {
    return "a rule uses loading functions, but none is configured";
  }
  const strange = parts.find((part) => isAboutOthers(part, functions))?.exoticRequire;
  return (
    strange &&
    `${JSON.stringify(strange)} is not one of the configured functions ${functions.join(", ")}`
  );
}

function asksForFunctions(to: ToPart): boolean {
  const { exoticallyRequired, exoticRequire, exoticRequireNot, dependencyTypes } = to;
  return (
    exoticallyRequired === true ||
    exoticRequire !== undefined ||
    exoticRequireNot !== undefined ||
    dependencyTypes?.join() === "exotic-require"
  );
}

function isAboutOthers({ exoticRequire: path }: ToPart, functions: readonly string[]): boolean {
  if (path === undefined) return false;
  const matcher = new PlaceMatcher({ path });
  return !functions.some((name) => matcher.matches(name));
}
