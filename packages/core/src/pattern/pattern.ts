import { spendCheckBudget } from "./budget.ts";
import { conditionsIn } from "./conditions.ts";
import type { Condition } from "./conditions.ts";
import { isDeterministic } from "./deterministic.ts";
import { estimateEffort } from "./effort.ts";
import { tokensIn } from "./tokens.ts";
import type { Token } from "./tokens.ts";
import { translate, UnsupportedPattern } from "./translate.ts";
import { parseTree } from "./tree.ts";

type Engine = typeof import("./linear-engine.ts").RE2JS;
type Expression = Pick<RegExp, "test">;

const MAX_LENGTH = 20_000;
/** The maximum number of steps in a program of the linear engine, with repeats expanded. */
const MAX_SIZE = 5_000;
/** Above this the linear engine is faster too. */
const MAX_NATIVE_STEPS = 20_000;
/** The linear engine's measured time per character, and per step of its program. */
const ENGINE_CHARACTER = 200;
const ENGINE_STEP = 50;
const TOO_LARGE = "it is too large";

let engine: Engine | undefined;
let loading: Promise<Engine> | undefined;

/** Loads the linear engine. Call it if `Pattern.needsEngine` is true. */
export async function loadPatternEngine(): Promise<void> {
  loading ??= import("./linear-engine.ts").then(({ RE2JS }) => RE2JS);
  engine = await loading;
}

/** Whether JSON Schema accepts it: a regular expression with the flag `u`. */
export function isRegularExpression(source: string): boolean {
  try {
    return new RegExp(source, "u").unicode;
  } catch {
    return false;
  }
}

/** Whether each alternative can only match at the start of a text. */
function isAnchored(tokens: readonly Token[]): boolean {
  let depth = 0;
  return tokens.every((token, at) => {
    const isFirst = at === 0 || (depth === 0 && tokens[at - 1]!.is === "or");
    if (token.is === "open") depth += 1;
    else if (token.is === "close") depth -= 1;
    return !isFirst || token.is === "start";
  });
}

/** The platform's maximum time in nanoseconds for a text, and for each of its characters. */
interface Cost {
  readonly once: number;
  readonly perCharacter: number;
}

/** The cost, if the platform's backtracking engine takes linear time. */
function nativeCost(tokens: readonly Token[]): Cost | undefined {
  const isOther = tokens.some(
    (token) =>
      token.is === "boundary" ||
      token.is === "other" ||
      (token.is === "open" && token.group !== "group"),
  );
  if (isOther) return undefined;
  const tree = parseTree(tokens);
  const { ways, degree, steps, size } = estimateEffort(tree);
  const growth = degree + (isAnchored(tokens) ? 0 : 1);
  if (growth <= 1 && ways * steps <= MAX_NATIVE_STEPS) {
    return { once: ways * steps, perCharacter: growth * ways * steps };
  }
  const isClear = isAnchored(tokens) && isDeterministic(tree);
  return isClear ? { once: size, perCharacter: size } : undefined;
}

/**
 * A part of a pattern. The platform runs it if that takes linear time, otherwise the linear engine.
 */
class Part {
  readonly needsEngine: boolean;
  readonly #isWanted: boolean;
  readonly #tokens: readonly Token[];
  readonly #cost: Cost;
  #expression: Expression | undefined;

  constructor({ isWanted, tokens }: Condition) {
    this.#isWanted = isWanted;
    this.#tokens = tokens;
    const native = nativeCost(tokens);
    this.needsEngine = native === undefined;
    this.#cost = native ?? this.#engineCost();
  }

  /** Throws an UnsupportedPattern if no engine can run it in linear time. */
  prepare(): void {
    if (this.needsEngine && engine === undefined) translate(this.#tokens);
    else this.#expression ??= this.#compile();
  }

  test(text: string): boolean {
    spendCheckBudget(this.#cost.once + this.#cost.perCharacter * text.length);
    this.#expression ??= this.#compile();
    return this.#expression.test(text) === this.#isWanted;
  }

  #engineCost(): Cost {
    const { size } = estimateEffort(parseTree(this.#tokens));
    if (size > MAX_SIZE) throw new UnsupportedPattern(TOO_LARGE);
    const cost = ENGINE_CHARACTER + ENGINE_STEP * size;
    return { once: cost, perCharacter: cost };
  }

  #compile(): Expression {
    const source = this.#tokens.map(({ text }) => text).join("");
    const expression = this.needsEngine
      ? engine!.compile(translate(this.#tokens))
      : new RegExp(source, "u");
    // The first run shows whether the expression can be run.
    expression.test("");
    return expression;
  }
}

/**
 * A regular expression of a schema. It is not trusted, so it is run in linear time and within a
 * budget, or not at all.
 */
export class Pattern {
  readonly source: string;
  /** Why it is not run. It then matches every text. */
  problem: string | undefined;
  #parts: readonly Part[] = [];

  constructor(source: string, problem?: string) {
    this.source = source;
    this.problem = problem;
    if (problem !== undefined) return;
    if (source.length > MAX_LENGTH) this.problem = TOO_LARGE;
    else if (!isRegularExpression(source))
      this.problem = "it is not a regular expression of JavaScript";
    else this.#try(() => this.#read());
    this.prepare();
  }

  get needsEngine(): boolean {
    return this.problem === undefined && this.#parts.some((part) => part.needsEngine);
  }

  /** Whether it can be used now, without loading the engine. */
  get isReady(): boolean {
    return engine !== undefined || !this.needsEngine;
  }

  /** Prepares it again once the engine is loaded, because only the engine knows what it can run. */
  prepare(): void {
    this.#try(() => this.#parts.forEach((part) => part.prepare()));
  }

  #read(): void {
    this.#parts = conditionsIn(tokensIn(this.source)).map((condition) => new Part(condition));
  }

  #try(run: () => void): void {
    try {
      run();
    } catch (error) {
      const isOurs = error instanceof UnsupportedPattern;
      this.problem = isOurs
        ? error.message
        : "it uses a feature that linear-time engines do not support";
    }
  }

  test(text: string): boolean {
    if (this.problem !== undefined) return true;
    for (const part of this.#parts) if (!part.test(text)) return false;
    return true;
  }
}
