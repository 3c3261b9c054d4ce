import type { Tree } from "./tree.ts";

const MAX_POSITIONS = 500;
const ASCII = 128;

const ESCAPED = String.raw`\\[dwtnvfr^$\\.*+?()[\]{}|/-]`;
/** One character, or a class with only ASCII characters. */
const ONLY_ASCII = new RegExp(
  String.raw`^(?:[ -~]|${ESCAPED}|\[(?:[ -Z_-~]|${ESCAPED})(?:[ -Z^-~]|${ESCAPED})*\])$`,
);

/** The positions of the characters with which a part of a pattern may begin and end. */
interface Ends {
  readonly first: readonly number[];
  readonly last: readonly number[];
  readonly isNullable: boolean;
}

const EMPTY: Ends = { first: [], last: [], isNullable: true };

/**
 * For each ASCII character, whether the class matches it. The last item says whether it may
 * match other characters.
 */
function charactersIn(text: string): boolean[] {
  const expression = new RegExp(`^${text}$`, "u");
  const taken = Array.from({ length: ASCII }, (_, code) =>
    expression.test(String.fromCharCode(code)),
  );
  return [...taken, !ONLY_ASCII.test(text)];
}

function mergeEnds(parts: readonly Ends[]): Ends {
  // The empty string would match in more than one way.
  if (parts.filter(({ isNullable }) => isNullable).length > 1) throw new NotDeterministic();
  return {
    first: parts.flatMap(({ first }) => first),
    last: parts.flatMap(({ last }) => last),
    isNullable: parts.some(({ isNullable }) => isNullable),
  };
}

/** Thrown if there are two ways to match, or too many positions to check. */
class NotDeterministic extends Error {}

/**
 * The automaton whose states are the characters of a pattern. If all characters that can follow
 * a state differ, and each is reached in one way, a string has at most one way through the
 * automaton.
 */
class Positions {
  readonly #follow: Set<number>[] = [];
  readonly #taken: boolean[][] = [];
  readonly #known = new Map<string, boolean[]>();

  add(tree: Tree): Ends {
    switch (tree.is) {
      case "sign":
        return EMPTY;
      case "characters":
        return this.#character(tree.text);
      case "repeat":
        return this.#repeat(tree);
      case "sequence":
        return tree.parts.map((part) => this.add(part)).reduce(this.#then, EMPTY);
      case "choice":
        return mergeEnds(tree.parts.map((part) => this.add(part)));
    }
  }

  isDeterministic({ first }: Ends): boolean {
    return [first, ...this.#follow].every((positions) => this.#areDisjoint([...positions]));
  }

  #character(text: string): Ends {
    const position = this.#follow.length;
    if (position >= MAX_POSITIONS) throw new NotDeterministic();
    const taken = this.#known.get(text) ?? charactersIn(text);
    this.#known.set(text, taken);
    this.#follow.push(new Set());
    this.#taken.push(taken);
    return { first: [position], last: [position], isNullable: false };
  }

  #link(from: readonly number[], to: readonly number[]): void {
    for (const position of from) {
      const known = this.#follow[position]!;
      for (const next of to) {
        if (known.has(next)) throw new NotDeterministic();
        known.add(next);
      }
    }
  }

  readonly #then = (a: Ends, b: Ends): Ends => {
    this.#link(a.last, b.first);
    return {
      first: a.isNullable ? [...a.first, ...b.first] : a.first,
      last: b.isNullable ? [...b.last, ...a.last] : b.last,
      isNullable: a.isNullable && b.isNullable,
    };
  };

  #repeat({ part, min, max }: Extract<Tree, { is: "repeat" }>): Ends {
    const isEndless = max === Infinity;
    let whole = EMPTY;
    for (let turn = 1; turn <= (isEndless ? Math.max(1, min) : max); turn++) {
      const ends = this.add(part);
      if (ends.isNullable && max > 1) throw new NotDeterministic();
      if (isEndless && turn >= min) this.#link(ends.last, ends.first);
      whole = this.#then(whole, turn > min ? { ...ends, isNullable: true } : ends);
    }
    return whole;
  }

  #areDisjoint(positions: readonly number[]): boolean {
    for (let character = 0; character <= ASCII; character++) {
      let takers = 0;
      for (const position of positions) if (this.#taken[position]![character]) takers += 1;
      if (takers > 1) return false;
    }
    return true;
  }
}

/**
 * Whether there is never more than one way to continue, so that a backtracking engine never has
 * to retry.
 */
export function isDeterministic(tree: Tree): boolean {
  const positions = new Positions();
  try {
    return positions.isDeterministic(positions.add(tree));
  } catch (error) {
    if (error instanceof NotDeterministic) return false;
    throw error;
  }
}
