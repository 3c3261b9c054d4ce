import type { Tree } from "./tree.ts";

/**
 * The maximum work of a backtracking engine for a part of a pattern: it tries `ways` × length ^
 * `degree` ways through a string, with `steps` on each.
 */
export interface Effort {
  readonly ways: number;
  readonly degree: number;
  readonly steps: number;
  /** Number of characters and assertions with repeats expanded, as in linear engines. */
  readonly size: number;
}

/** A bounded repeat counts as this many ways at most. Above this number it counts as unbounded. */
const MAX_COUNTED = 64;

function ofSequence(parts: readonly Tree[]): Effort {
  let [ways, degree, steps, size] = [1, 0, 0, 0];
  for (const part of parts.map(estimateEffort)) {
    ways *= part.ways;
    degree += part.degree;
    steps += part.steps;
    size += part.size;
  }
  return { ways, degree, steps, size };
}

function ofChoice(parts: readonly Tree[]): Effort {
  let [ways, degree, steps, size] = [0, 0, 0, 0];
  for (const part of parts.map(estimateEffort)) {
    ways += part.ways;
    degree = Math.max(degree, part.degree);
    steps = Math.max(steps, part.steps);
    size += part.size + 1;
  }
  return { ways, degree, steps, size };
}

function ofRepeat(tree: Extract<Tree, { is: "repeat" }>): Effort {
  const { min, max } = tree;
  const part = estimateEffort(tree.part);
  const size = part.size * Math.max(1, Number.isFinite(max) ? max : min + 1) + 1;
  if (min === 0 && max === 1) return { ...part, ways: part.ways + 1, size };
  if (min === max && part.degree === 0) {
    return { ways: part.ways ** max, degree: 0, steps: part.steps * max, size };
  }
  // Repeating a group multiplies the number of ways through it.
  if (tree.part.is !== "characters") return { ways: Infinity, degree: Infinity, steps: 1, size };
  const ways = max - min + 1;
  const isCounted = ways <= MAX_COUNTED;
  return { ways: isCounted ? ways : 1, degree: isCounted ? 0 : 1, steps: 1, size };
}

export function estimateEffort(tree: Tree): Effort {
  if (tree.is === "sequence") return ofSequence(tree.parts);
  if (tree.is === "choice") return ofChoice(tree.parts);
  return tree.is === "repeat" ? ofRepeat(tree) : { ways: 1, degree: 0, steps: 1, size: 1 };
}
