import type { LinkedFile } from "./linked-file.ts";
import type { LinkProgram } from "./program.ts";
import { KIND } from "./type.ts";
import type { Env, Type } from "./type.ts";

/** The target of a name or member: a symbol, or only a node. */
export interface Found {
  readonly file: number;
  /** The symbol; -1 if there is only a node. */
  readonly symbol: number;
  readonly node: number;
  readonly env: Env | undefined;
  /** Whether the member was found in a parent type. */
  readonly inherited: boolean;
}

/** A callable function, with the type arguments of its context. */
export interface Signature {
  readonly file: number;
  readonly node: number;
  readonly env: Env | undefined;
}

/**
 * The parts of the checker call each other through this interface, because they depend on each
 * other.
 */
export interface Rules {
  evaluate(c: Checker, file: number, node: number, env: Env | undefined): Type | undefined;
  findMembers(c: Checker, type: Type, name: string): readonly Found[];
  signatures(c: Checker, type: Type, construct: boolean): readonly Signature[];
  callResult(c: Checker, file: number, call: number, env: Env | undefined): Type | undefined;
  expected(
    c: Checker,
    file: number,
    call: number,
    place: number,
    env: Env | undefined,
  ): Type | undefined;
  construct(c: Checker, type: Type): Type | undefined;
}

/**
 * Limits for resolving one use: how deep evaluation may go, how many steps it may take, and how
 * often it may ask, also for results that are cached.
 */
const MAX_DEPTH = 60;
const MAX_STEPS = 20_000;
const MAX_QUESTIONS = 400_000;
const MAX_UNFOLDED = 3;

/**
 * Finds the type of a node. Results without type arguments are cached, except those found while one
 * of their own inputs was being evaluated: they could be incomplete, and results must not depend on
 * the order of evaluation.
 */
export class Checker {
  readonly program: LinkProgram;
  readonly rules: Rules;
  #depth = 0;
  #steps = 0;
  #questions = 0;
  /** The depth of the outermost unfinished evaluation that the current result depends on. */
  #unfinished = Number.POSITIVE_INFINITY;

  constructor(program: LinkProgram, rules: Rules) {
    this.program = program;
    this.rules = rules;
  }

  /** Resets the limits for the next use. */
  begin(): void {
    this.#steps = 0;
    this.#questions = 0;
    this.#unfinished = Number.POSITIVE_INFINITY;
  }

  file(file: number): LinkedFile {
    const found = this.program.file(file);
    if (!found) throw new RangeError(`file number ${file} was not extracted before it was linked`);
    return found;
  }

  evaluate(file: number, node: number, env?: Env): Type | undefined {
    if (node === 0) return undefined;
    if (++this.#questions > MAX_QUESTIONS) return this.#giveUp(0);
    const { known, pending } = this.file(file);
    if (!env) {
      const answer = known.get(node);
      if (answer !== undefined || known.has(node)) {
        this.program.consult(file);
        return answer;
      }
      const asked = pending.get(node);
      if (asked !== undefined) return this.#giveUp(asked);
    }
    if (this.#depth >= MAX_DEPTH || ++this.#steps > MAX_STEPS) return this.#giveUp(0);
    return env ? this.#compute(file, node, env) : this.#answer(file, node);
  }

  #giveUp(depth: number): undefined {
    this.#unfinished = Math.min(this.#unfinished, depth);
    return undefined;
  }

  #compute(file: number, node: number, env: Env | undefined): Type | undefined {
    this.#depth += 1;
    const type = this.rules.evaluate(this, file, node, env);
    this.#depth -= 1;
    return type;
  }

  #answer(file: number, node: number): Type | undefined {
    const { known, pending } = this.file(file);
    const depth = this.#depth + 1;
    pending.set(node, depth);
    // Cached results are shared by all callers, so their dependencies are recorded for the file and
    // not for one caller.
    const outer = this.program.enterOffers(file);
    const type = this.#compute(file, node, undefined);
    this.program.leave(outer);
    pending.delete(node);
    if (this.#unfinished >= depth) {
      known.set(node, type);
      this.#unfinished = Number.POSITIVE_INFINITY;
    }
    return type;
  }

  /** Evaluates the target of a type alias. An alias that contains itself is followed a few times. */
  unfold(file: number, symbol: number, node: number, env: Env | undefined): Type | undefined {
    const { unfolding } = this.file(file);
    const outer = unfolding.get(symbol);
    if (outer && outer.times >= MAX_UNFOLDED) return this.#giveUp(outer.depth);
    const depth = outer?.depth ?? this.#depth + 1;
    unfolding.set(symbol, { depth, times: (outer?.times ?? 0) + 1 });
    const type = this.evaluate(file, node, env);
    if (outer) unfolding.set(symbol, outer);
    else unfolding.delete(symbol);
    return type;
  }

  /** Evaluates a type argument on demand. */
  force(type: Type | undefined): Type | undefined {
    return type?.kind === KIND.later ? this.evaluate(type.file, type.id, type.env) : type;
  }

  findMembers(type: Type, name: string): readonly Found[] {
    return this.rules.findMembers(this, type, name);
  }

  signatures(type: Type, construct: boolean): readonly Signature[] {
    return this.rules.signatures(this, type, construct);
  }
}
