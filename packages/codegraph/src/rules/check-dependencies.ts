import type { CodeGraph } from "../graph/index.ts";
import { getCircle } from "./circles.ts";
import { dependenciesOf } from "./dependency.ts";
import type { Dependency } from "./dependency.ts";
import type { InstalledPackages } from "./installed-packages.ts";
import { DependencyMatcher } from "./match-dependency.ts";
import type { ForbiddenRule, LayerRules, Violation } from "./rule.ts";

/** The dependencies that one rule forbids. */
export function* forbiddenDependencies(
  graph: CodeGraph,
  rule: ForbiddenRule,
  installed?: InstalledPackages,
): Generator<Violation> {
  const matcher = new DependencyMatcher(rule.from, rule.to, installed);
  for (let file = 0; file < graph.files.count; file++) {
    const path = graph.files.path(file);
    if (!matcher.from.matches(path)) continue;
    const groups = matcher.from.groups(path);
    for (const dependency of dependenciesOf(graph)[file]!) {
      if (matcher.matches(graph, dependency, groups)) yield violation(graph, rule, dependency);
    }
  }
}

function violation(graph: CodeGraph, rule: ForbiddenRule, dependency: Dependency): Violation {
  const { from, to, path, line } = dependency;
  const sourceFile = graph.files.path(from);
  const circle = rule.to?.circular === true && to !== undefined ? getCircle(graph, from, to) : [];
  return {
    rule: rule.name,
    severity: rule.severity ?? "warning",
    sourceFile,
    targetFile: path,
    description: rule.comment ?? `${sourceFile} must not depend on ${path}`,
    line,
    ...(circle.length > 0 && { via: circle.map((file) => graph.files.path(file)) }),
  };
}

/** Dependencies that match none of the `allowed` rules. */
export function* unlistedDependencies(
  graph: CodeGraph,
  rules: LayerRules,
  installed?: InstalledPackages,
): Generator<Violation> {
  const { allowed = [], allowedSeverity = "warning" } = rules;
  if (allowed.length === 0) return;
  const matchers = allowed.map(({ from, to }) => new DependencyMatcher(from, to, installed));
  for (let file = 0; file < graph.files.count; file++) {
    const path = graph.files.path(file);
    const open = matchers
      .filter((matcher) => matcher.from.matches(path))
      .map((matcher) => ({ matcher, groups: matcher.from.groups(path) }));
    for (const dependency of dependenciesOf(graph)[file]!) {
      if (open.some(({ matcher, groups }) => matcher.matches(graph, dependency, groups))) continue;
      yield {
        rule: "not-in-allowed",
        severity: allowedSeverity,
        sourceFile: path,
        targetFile: dependency.path,
        description: `no allowed rule lets ${path} depend on ${dependency.path}`,
        line: dependency.line,
      };
    }
  }
}
