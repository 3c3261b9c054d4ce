import type { JsonSchema } from "../envelope/index.ts";
import { loadPatternEngine, Pattern, CheckBudgetError } from "../pattern/index.ts";
import { withPointerRefs } from "./pointer-refs.ts";
import { readTraits } from "./traits.ts";

const MAX_KEPT = 1_000;
const MAX_SHOWN = 80;
/** Preparing a pattern takes up to some milliseconds, so a schema may have only this many. */
const MAX_OF_ENGINE = 500;

const kept = new Map<string, Pattern>();

/** The pattern of a source text, created once. The oldest pattern is dropped. */
function patternFor(source: string): Pattern {
  const known = kept.get(source);
  if (known !== undefined) return known;
  const pattern = new Pattern(source);
  if (kept.size >= MAX_KEPT) kept.delete(kept.keys().next().value!);
  kept.set(source, pattern);
  return pattern;
}

/** The prepared patterns of a schema. Patterns beyond the limit are not run. */
export function patternsFor(sources: readonly string[]): Map<string, Pattern> {
  const patterns = new Map<string, Pattern>();
  let ofEngine = 0;
  for (const source of sources) {
    const pattern = patternFor(source);
    if (!pattern.isReady) throw new Error("await loadChecker(schema) before compiling it");
    pattern.prepare();
    if (pattern.needsEngine) ofEngine += 1;
    const isOver = ofEngine > MAX_OF_ENGINE;
    patterns.set(source, isOver ? new Pattern(source, "there are too many") : pattern);
  }
  return patterns;
}

/** Loads the pattern engine if one of these schemas has a pattern that needs it. */
export async function loadPatterns(schemas: readonly JsonSchema[]): Promise<void> {
  for (const schema of schemas) {
    const { patterns } = readTraits(withPointerRefs(schema));
    const isReady = patterns.every((source) => patternFor(source).isReady);
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

/** Whether a name matches a pattern. True if that is not known, so that nothing is removed. */
export function matchesPattern(source: string, name: string): boolean {
  const pattern = patternFor(source);
  try {
    return !pattern.isReady || pattern.test(name);
  } catch (error) {
    if (error instanceof CheckBudgetError) return true;
    throw error;
  }
}
