import type { CodeGraph } from "../graph/index.ts";
import { linkCount, linksIn, linksOut, neighbours, reachFrom, wayTo } from "../analysis/index.ts";
import type { Reach } from "../analysis/index.ts";
import { dependenciesOf } from "./dependency.ts";
import { PlaceMatcher } from "./places.ts";
import type { ForbiddenRule, RequiredRule, Violation } from "./rule.ts";

function about(rule: ForbiddenRule | RequiredRule, path: string, description: string): Violation {
  return {
    rule: rule.name,
    severity: rule.severity ?? "warning",
    sourceFile: path,
    targetFile: path,
    description: rule.comment ?? description,
  };
}

/** Files with neither importers nor imports. If the rule says so, all other files instead. */
export function* orphans(graph: CodeGraph, rule: ForbiddenRule): Generator<Violation> {
  const place = new PlaceMatcher(rule.from);
  const incoming = linksIn(graph);
  for (let file = 0; file < graph.files.count; file++) {
    if (graph.files.state(file) === "skipped") continue;
    const path = graph.files.path(file);
    const isOrphan = dependenciesOf(graph)[file]!.length === 0 && linkCount(incoming, file) === 0;
    if (isOrphan !== rule.from?.orphan || !place.matches(path)) continue;
    yield about(rule, path, `nothing imports ${path}, and it imports nothing`);
  }
}

/** Files that match `from` and have too many or too few dependents. */
export function* dependentCounts(graph: CodeGraph, rule: ForbiddenRule): Generator<Violation> {
  const { module = {} } = rule;
  const less = module.numberOfDependentsLessThan ?? Infinity;
  const more = module.numberOfDependentsMoreThan ?? -1;
  const place = new PlaceMatcher(module);
  const from = new PlaceMatcher(rule.from);
  const incoming = linksIn(graph);
  for (let file = 0; file < graph.files.count; file++) {
    const path = graph.files.path(file);
    if (graph.files.state(file) === "skipped" || !place.matches(path)) continue;
    const dependents = neighbours(incoming, file);
    const count = from.isOpen
      ? dependents.length
      : dependents.filter((other) => from.matches(graph.files.path(other))).length;
    if (count >= less || count <= more) continue;
    yield about(rule, path, `${path} has ${count} dependents`);
  }
}

function isIn(place: PlaceMatcher, graph: CodeGraph, file: number): boolean {
  return graph.files.state(file) !== "skipped" && place.matches(graph.files.path(file));
}

function filesIn(graph: CodeGraph, place: PlaceMatcher): number[] {
  return Array.from({ length: graph.files.count }, (_, file) => file).filter((file) =>
    isIn(place, graph, file),
  );
}

/**
 * The most violations of a rule to list in full. Each further file is listed only with its nearest
 * target.
 */
const FULLY_LISTED = 1_000;

/** Forbidden targets that can be reached: each starting file with all that it reaches. */
export function* reached(graph: CodeGraph, rule: ForbiddenRule): Generator<Violation> {
  const from = new PlaceMatcher(rule.from);
  const to = new PlaceMatcher(rule.to);
  let count = 0;
  for (const [groups, files] of filesByGroups(graph, from)) {
    const targets = Array.from({ length: graph.files.count }, (_, file) => file).filter((file) =>
      to.matches(graph.files.path(file), groups),
    );
    // Searches backwards from all targets at once, because most files reach none of them.
    const back = reachFrom(linksIn(graph), targets);
    for (const file of files.filter((each) => back.steps[each] !== -1)) {
      const ways =
        count < FULLY_LISTED ? allWays(graph, file, back) : [wayTo(back, file).toReversed()];
      for (const way of ways.filter(({ length }) => length > 1)) {
        count += 1;
        yield reaching(graph, rule, way);
      }
    }
  }
}

function filesByGroups(graph: CodeGraph, from: PlaceMatcher): [readonly string[], number[]][] {
  const byGroups = new Map<string, [readonly string[], number[]]>();
  for (const file of filesIn(graph, from)) {
    const groups = from.groups(graph.files.path(file));
    const key = groups.join("\0");
    const known = byGroups.get(key);
    if (known === undefined) byGroups.set(key, [groups, [file]]);
    else known[1].push(file);
  }
  return [...byGroups.values()];
}

/** The shortest path to each target. `back` says which files are targets or lead to one. */
function allWays(graph: CodeGraph, file: number, back: Reach): number[][] {
  const leadsNowhere = (node: number): boolean => back.steps[node] === -1;
  const reach = reachFrom(linksOut(graph), [file], { stopAt: leadsNowhere });
  const ways: number[][] = [];
  for (const node of reach.order.subarray(1)) {
    if (back.steps[node] === 0) ways.push(wayTo(reach, node));
  }
  return ways;
}

function reaching(graph: CodeGraph, rule: ForbiddenRule, way: readonly number[]): Violation {
  const via = way.map((step) => graph.files.path(step));
  const targetFile = via.at(-1)!;
  return { ...about(rule, via[0]!, `${via[0]!} reaches ${targetFile}`), targetFile, via };
}

/** Files that must be reachable but are not. */
export function* unreached(graph: CodeGraph, rule: ForbiddenRule): Generator<Violation> {
  const from = new PlaceMatcher(rule.from);
  const to = new PlaceMatcher(rule.to);
  const seeds = filesIn(graph, from);
  const { steps } = reachFrom(linksOut(graph), seeds);
  const starts = new Set(seeds);
  for (const file of filesIn(graph, to)) {
    if (steps[file] !== -1 || starts.has(file)) continue;
    const path = graph.files.path(file);
    yield about(rule, path, `no file that the rule starts from reaches ${path}`);
  }
}

/** Files without a required dependency. */
export function* missingRequired(graph: CodeGraph, rule: RequiredRule): Generator<Violation> {
  const place = new PlaceMatcher(rule.module);
  const to = new PlaceMatcher(rule.to);
  for (const file of filesIn(graph, place)) {
    const path = graph.files.path(file);
    const groups = place.groups(path);
    if (to.matches(path, groups)) continue;
    if (dependenciesOf(graph)[file]!.some((each) => to.matches(each.path, groups))) continue;
    if (rule.to.reachable === true && reaches(graph, file, to, groups)) continue;
    yield about(rule, path, `${path} lacks the dependency that ${rule.name} requires`);
  }
}

function reaches(
  graph: CodeGraph,
  file: number,
  to: PlaceMatcher,
  groups: readonly string[],
): boolean {
  const { order } = reachFrom(linksOut(graph), [file]);
  return order.subarray(1).some((target) => to.matches(graph.files.path(target), groups));
}
