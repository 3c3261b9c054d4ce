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
/**
 * The maximum number of `\p{…}` classes. The platform takes up to half a millisecond to read
 * each, and the linear engine takes more.
 */
const MAX_PROPERTIES = 50;
/** The maximum size of a program of the linear engine, in steps with repeats expanded. */
const MAX_SIZE = 5_000;
/** The maximum effort for the platform's engine. Above it, the linear engine is faster. */
const MAX_NATIVE_STEPS = 20_000;
/**
 * The measured time per step of the platform's engine, for a pattern that it has not run before.
 */
const NATIVE_STEP = 4;
/** The linear engine's measured time per character, and per step of its program. */
const ENGINE_CHARACTER = 200;
const ENGINE_STEP = 50;
const TOO_LARGE = "it is too large";

/** The measured maximum time in nanoseconds to read and compile parts of a pattern. */
const READ_CHARACTER = 10_000;
const READ_PAIR = 100;
const READ_PROPERTY = 2_000_000;
const COMPILE_STEP = 50_000;
/** A longer pattern has too many positions to be checked for determinism. */
const MAX_PAIRED = 500;

let engine: Engine | undefined;
let loading: Promise<Engine> | undefined;

/** Loads the linear engine. Call it if `Pattern.needsEngine` is true. */
export async function loadPatternEngine(): Promise<void> {
  loading ??= import("./linear-engine.ts").then(({ RE2JS }) => RE2JS);
  engine = await loading;
}

export function isPatternEngineLoaded(): boolean {
  return engine !== undefined;
}

function countProperties(source: string): number {
  return source.match(/\\p\{/gi)?.length ?? 0;
}

/** Whether a pattern is so large that even reading it would take too long. */
function isTooLarge(source: string): boolean {
  return source.length > MAX_LENGTH || countProperties(source) > MAX_PROPERTIES;
}

/** The maximum time in nanoseconds to read a pattern, known from its text alone. */
export function readingCost(source: string): number {
  if (isTooLarge(source)) return READ_CHARACTER;
  const { length } = source;
  const pairs = Math.min(length, MAX_PAIRED) ** 2;
  return length * READ_CHARACTER + pairs * READ_PAIR + countProperties(source) * READ_PROPERTY;
}

/**
 * Whether JSON Schema accepts the pattern: it must be a regular expression with the flag `u`. A
 * pattern that is too large to be read is accepted too, because it is never run.
 */
export function isRegularExpression(source: string): boolean {
  if (isTooLarge(source)) return true;
  try {
    return new RegExp(source, "u").unicode;
  } catch {
    return false;
  }
}

/** Whether each alternative can only match at the start of a string. */
function isAnchored(tokens: readonly Token[]): boolean {
  let depth = 0;
  return tokens.every((token, at) => {
    const isFirst = at === 0 || (depth === 0 && tokens[at - 1]!.is === "or");
    if (token.is === "open") depth += 1;
    else if (token.is === "close") depth -= 1;
    return !isFirst || token.is === "start";
  });
}

/** The platform's maximum time for a string, and for each of its characters, in nanoseconds. */
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
    const once = ways * steps * NATIVE_STEP;
    return { once, perCharacter: growth * once };
  }
  const isClear = isAnchored(tokens) && isDeterministic(tree);
  const cost = size * NATIVE_STEP;
  return isClear ? { once: cost, perCharacter: cost } : undefined;
}

/**
 * A part of a pattern. The platform's engine runs it if that takes linear time, otherwise the
 * linear engine does.
 */
class Part {
  readonly needsEngine: boolean;
  /** The maximum additional time to compile the pattern after reading it, in nanoseconds. */
  readonly compileCost: number = 0;
  readonly #isWanted: boolean;
  readonly #tokens: readonly Token[];
  readonly #cost: Cost;
  #expression: Expression | undefined;

  constructor({ isWanted, tokens }: Condition) {
    this.#isWanted = isWanted;
    this.#tokens = tokens;
    const native = nativeCost(tokens);
    this.needsEngine = native === undefined;
    if (native !== undefined) {
      this.#cost = native;
      return;
    }
    translate(tokens);
    const size = this.#engineSize();
    const cost = ENGINE_CHARACTER + ENGINE_STEP * size;
    this.#cost = { once: cost, perCharacter: cost };
    this.compileCost = COMPILE_STEP * size;
  }

  /** Throws if no engine can run it in linear time. */
  prepare(): void {
    this.#expression ??= this.#compile();
  }

  /** The maximum time in nanoseconds to test a string. */
  costOf(text: string): number {
    return this.#cost.once + this.#cost.perCharacter * text.length;
  }

  test(text: string): boolean {
    spendCheckBudget(this.costOf(text));
    return this.#expression!.test(text) === this.#isWanted;
  }

  #engineSize(): number {
    const { size } = estimateEffort(parseTree(this.#tokens));
    if (size > MAX_SIZE) throw new UnsupportedPattern(TOO_LARGE);
    return size;
  }

  #compile(): Expression {
    const source = this.#tokens.map(({ text }) => text).join("");
    const expression = this.needsEngine
      ? engine!.compile(translate(this.#tokens))
      : new RegExp(source, "u");
    // Runs the expression once, because only that shows whether the platform can run it.
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
  /** Why the pattern is not run. It then matches every string. */
  problem: string | undefined;
  #parts: readonly Part[] = [];
  #isPrepared = false;

  constructor(source: string, problem?: string) {
    this.source = source;
    this.problem = problem;
    if (problem !== undefined) return;
    if (isTooLarge(source)) this.problem = TOO_LARGE;
    else if (!isRegularExpression(source))
      this.problem = "it is not a regular expression of JavaScript";
    else this.#try(() => this.#read());
  }

  get needsEngine(): boolean {
    return this.problem === undefined && this.#parts.some((part) => part.needsEngine);
  }

  /** The maximum additional time to compile the pattern after reading it, in nanoseconds. */
  get compileCost(): number {
    return this.#parts.reduce((sum, part) => sum + part.compileCost, 0);
  }

  /** Whether the pattern can be used now, without loading the engine. */
  get isReady(): boolean {
    return engine !== undefined || !this.needsEngine;
  }

  /**
   * Compiles the pattern, after `isReady` is true. Only the engine can tell whether it can run
   * it.
   */
  prepare(): void {
    if (this.#isPrepared || this.problem !== undefined) return;
    this.#isPrepared = true;
    this.#try(() => this.#parts.forEach((part) => part.prepare()));
  }

  /** The maximum time in nanoseconds to test a string. */
  costOf(text: string): number {
    return this.#parts.reduce((sum, part) => sum + part.costOf(text), 0);
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

  /** Whether a string matches. True for a pattern that is not run. */
  test(text: string): boolean {
    if (!this.#isPrepared) spendCheckBudget(this.compileCost);
    this.prepare();
    if (this.problem !== undefined) return true;
    for (const part of this.#parts) if (!part.test(text)) return false;
    return true;
  }
}
