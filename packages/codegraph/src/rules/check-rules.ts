import type { CodeGraph } from "../graph/index.ts";
import { forbiddenDependencies, unlistedDependencies } from "./check-dependencies.ts";
import { forbiddenFolders } from "./check-folders.ts";
import { dependentCounts, missingRequired, orphans, reached, unreached } from "./check-modules.ts";
import { InstalledPackages } from "./installed-packages.ts";
import type { ForbiddenRule, LayerRules, RuleSeverity, Violation } from "./rule.ts";

const MAX_VIOLATIONS = 50_000;
const ORDER: Readonly<Record<RuleSeverity, number>> = { error: 0, warning: 1, info: 2 };

function forbidden(
  graph: CodeGraph,
  rule: ForbiddenRule,
  installed: InstalledPackages | undefined,
): Iterable<Violation> {
  if (rule.scope === "folder") return forbiddenFolders(graph, rule);
  if (rule.from?.orphan !== undefined) return orphans(graph, rule);
  if (rule.module !== undefined) return dependentCounts(graph, rule);
  if (rule.to?.reachable === true) return reached(graph, rule);
  if (rule.to?.reachable === false) return unreached(graph, rule);
  return forbiddenDependencies(graph, rule, installed);
}

function* violations(
  graph: CodeGraph,
  rules: LayerRules,
  installed: InstalledPackages | undefined,
): Generator<Violation> {
  for (const rule of rules.forbidden ?? []) yield* forbidden(graph, rule, installed);
  yield* unlistedDependencies(graph, rules, installed);
  for (const rule of rules.required ?? []) yield* missingRequired(graph, rule);
}

const known = new WeakMap<CodeGraph, WeakMap<LayerRules, readonly Violation[]>>();

/**
 * All violations of the rules, errors first. Cached for each graph and its rules. Licences and
 * similar facts come from the packages installed below `root`, if it is given.
 */
export function checkRules(
  graph: CodeGraph,
  rules: LayerRules,
  root?: string,
): readonly Violation[] {
  const ofGraph = known.get(graph) ?? new WeakMap<LayerRules, readonly Violation[]>();
  known.set(graph, ofGraph);
  const kept = ofGraph.get(rules);
  if (kept !== undefined) return kept;
  const found: Violation[] = [];
  for (const violation of violations(
    graph,
    rules,
    root === undefined ? undefined : new InstalledPackages(root),
  )) {
    found.push(violation);
    if (found.length >= MAX_VIOLATIONS) break;
  }
  const sorted = found.toSorted((a, b) => ORDER[a.severity] - ORDER[b.severity]);
  ofGraph.set(rules, sorted);
  return sorted;
}
