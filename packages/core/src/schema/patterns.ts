import type { JsonSchema } from "../envelope/index.ts";
import {
  CheckBudgetError,
  isCheckBudgetSpent,
  isPatternEngineLoaded,
  loadPatternEngine,
  Pattern,
  readingCost,
  spendCheckBudget,
} from "../pattern/index.ts";
import { withPointerRefs } from "./pointer-refs.ts";
import { readTraits } from "./traits.ts";

const MAX_KEPT = 1_000;
const MAX_SHOWN = 80;
/**
 * The maximum time to prepare the patterns of a schema: about two seconds, in estimated
 * nanoseconds.
 */
const MAX_PREPARATION = 2_000_000_000;

const kept = new Map<string, Pattern>();

/**
 * Returns the cached pattern of a source text. The oldest pattern is dropped if the cache is
 * full.
 */
function patternFor(source: string): Pattern {
  const known = kept.get(source);
  if (known !== undefined) return known;
  const pattern = new Pattern(source);
  if (kept.size >= MAX_KEPT) kept.delete(kept.keys().next().value!);
  kept.set(source, pattern);
  return pattern;
}

/** The patterns of a schema that can be prepared in time. The others are not run. */
function patternsInTime(sources: readonly string[]): Map<string, Pattern> {
  const patterns = new Map<string, Pattern>();
  let left = MAX_PREPARATION;
  for (const source of sources) {
    left -= readingCost(source);
    const pattern = left < 0 ? undefined : patternFor(source);
    left -= pattern?.compileCost ?? 0;
    const isOver = pattern === undefined || left < 0;
    patterns.set(
      source,
      isOver ? new Pattern(source, "the schema has too many patterns") : pattern,
    );
  }
  return patterns;
}

/** The prepared patterns of a schema. */
export function patternsFor(sources: readonly string[]): Map<string, Pattern> {
  const patterns = patternsInTime(sources);
  for (const pattern of patterns.values()) {
    if (!pattern.isReady) throw new Error("await loadChecker(schema) before compiling it");
    pattern.prepare();
  }
  return patterns;
}

/** Loads the pattern engine if one of these schemas has a pattern that needs it. */
export async function loadPatterns(schemas: readonly JsonSchema[]): Promise<void> {
  if (isPatternEngineLoaded()) return;
  for (const schema of schemas) {
    const { patterns } = readTraits(withPointerRefs(schema));
    const isReady = [...patternsInTime(patterns).values()].every((pattern) => pattern.isReady);
    if (!isReady) return loadPatternEngine();
  }
}

/** The message about patterns that are not run. */
export function skippedPatterns(patterns: ReadonlyMap<string, Pattern>): string[] {
  return [...patterns.values()].flatMap(({ source, problem }) => {
    if (problem === undefined) return [];
    const shown = source.length > MAX_SHOWN ? `${source.slice(0, MAX_SHOWN)}…` : source;
    return [
      `the pattern ${JSON.stringify(shown)} is not checked, so any string passes: ${problem}`,
    ];
  });
}

/** One sentence for each pattern of a schema that is not checked. */
export async function uncheckedPatterns(schema: JsonSchema): Promise<readonly string[]> {
  await loadPatterns([schema]);
  return skippedPatterns(patternsFor(readTraits(withPointerRefs(schema)).patterns));
}

/**
 * Whether a name matches a pattern. True if the pattern cannot be run, so that nothing is
 * removed.
 */
export function matchesPattern(source: string, name: string): boolean {
  if (isCheckBudgetSpent()) return true;
  try {
    if (!kept.has(source)) spendCheckBudget(readingCost(source));
    const pattern = patternFor(source);
    return !pattern.isReady || pattern.test(name);
  } catch (error) {
    if (error instanceof CheckBudgetError) return true;
    throw error;
  }
}
