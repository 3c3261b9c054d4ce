import { array, assert, constantFrom, letrec, oneof, property, tuple } from "fast-check";
import { describe, expect, it } from "vitest";
import { Pattern } from "./index.ts";
import { tokensIn } from "./tokens.ts";
import { parseTree } from "./tree.ts";
import type { Tree } from "./tree.ts";

class TooManySteps extends Error {}

/** A simple backtracking engine that counts its steps. */
class Backtracking {
  steps = 0;
  readonly #text: string;
  readonly #most: number;

  constructor(text: string, most: number) {
    this.#text = text;
    this.#most = most;
  }

  matches(tree: Tree): boolean {
    for (let at = 0; at <= this.#text.length; at++) {
      if (this.#go(tree, at, () => true)) return true;
    }
    return false;
  }

  #go(tree: Tree, at: number, then: (at: number) => boolean): boolean {
    this.steps += 1;
    if (this.steps > this.#most) throw new TooManySteps();
    switch (tree.is) {
      case "characters":
        return this.#takes(tree.text, at) && then(at + 1);
      case "sign":
        return at === (tree.text === "^" ? 0 : this.#text.length) && then(at);
      case "choice":
        return tree.parts.some((part) => this.#go(part, at, then));
      case "sequence":
        return this.#sequence(tree.parts, 0, at, then);
      case "repeat":
        return this.#repeat(tree, 0, at, then);
    }
  }

  #takes(text: string, at: number): boolean {
    return at < this.#text.length && new RegExp(`^${text}$`, "u").test(this.#text[at]!);
  }

  #sequence(
    parts: readonly Tree[],
    index: number,
    at: number,
    then: (at: number) => boolean,
  ): boolean {
    const part = parts[index];
    if (part === undefined) return then(at);
    return this.#go(part, at, (next) => this.#sequence(parts, index + 1, next, then));
  }

  #repeat(
    tree: Extract<Tree, { is: "repeat" }>,
    turns: number,
    at: number,
    then: (at: number) => boolean,
  ): boolean {
    const isMore = turns < tree.max;
    const again = (next: number): boolean =>
      (next > at || turns < tree.min) && this.#repeat(tree, turns + 1, next, then);
    if (isMore && this.#go(tree.part, at, again)) return true;
    return turns >= tree.min && then(at);
  }
}

const atoms = constantFrom("a", "b", "c", "[ab]", "[bc]", ".", "\\w");
const repeats = constantFrom("", "", "*", "+", "?", "{2}", "{1,3}", "{2,}");
const { pattern } = letrec<{ pattern: string; part: string }>((tie) => ({
  part: oneof(
    { maxDepth: 4, withCrossShrink: true },
    tuple(atoms, repeats).map((parts) => parts.join("")),
    tuple(tie("pattern"), repeats).map(([inner, repeat]) => `(?:${inner})${repeat}`),
    tuple(tie("pattern"), tie("pattern")).map((forms) => `(?:${forms.join("|")})`),
  ),
  pattern: array(tie("part"), { minLength: 1, maxLength: 3 }).map((parts) => parts.join("")),
}));
const whole = tuple(constantFrom("^", "^", "^", ""), pattern, constantFrom("$", "$", "")).map(
  (parts) => parts.join(""),
);
const texts = ["a", "ab", "aab", "abc", "c"].map((pump) => `${pump.repeat(40).slice(0, 60)}!`);

describe("patterns that the native engine may run", () => {
  it("a regular expression that the native engine may run takes steps in proportion to the length of the string", () => {
    const verdicts = { native: 0, other: 0 };
    assert(
      property(whole, (source) => {
        const isNative = !new Pattern(source).needsEngine;
        verdicts[isNative ? "native" : "other"] += 1;
        if (!isNative) return;
        for (const text of texts) {
          const most = 200 * (text.length + 1) * (source.length + 1);
          new Backtracking(text, most).matches(parseTree(tokensIn(source)));
        }
      }),
      { numRuns: 3_000, seed: 7 },
    );
    expect(verdicts.native).toBeGreaterThan(300);
    expect(verdicts.other).toBeGreaterThan(300);
  });

  it("the step counter of the pattern tests stops a regular expression that takes exponential time", () => {
    const explosive = parseTree(tokensIn("^(?:a+)+$"));
    expect(() => new Backtracking(texts[0]!, 100_000).matches(explosive)).toThrow(TooManySteps);
  });
});
