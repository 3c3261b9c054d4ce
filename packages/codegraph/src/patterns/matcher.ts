import { takes } from "./program.ts";
import type { Step } from "./program.ts";

interface State {
  readonly steps: readonly number[];
  readonly accepts: boolean;
  readonly next: Map<number, State>;
}

const MAX_STATES = 1_000;

/**
 * Matches all alternatives at once and caches each transition. Each character costs one lookup, so
 * no pattern can hang.
 */
export class Matcher {
  readonly #program: readonly Step[];
  #states = new Map<string, State>();
  #start: State | undefined;

  constructor(program: readonly Step[]) {
    this.#program = program;
  }

  matches(text: string): boolean {
    let state = (this.#start ??= this.#stateOf([0]));
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index);
      state = state.next.get(code) ?? this.#learn(state, code);
      if (state.steps.length === 0) return false;
    }
    return state.accepts;
  }

  #learn(state: State, code: number): State {
    const moved: number[] = [];
    for (const step of state.steps) {
      if (takes(this.#program[step]!, code)) moved.push(step + 1);
    }
    const next = this.#stateOf(moved);
    state.next.set(code, next);
    return next;
  }

  #stateOf(from: readonly number[]): State {
    const steps = this.#closure(from);
    const key = steps.join(" ");
    const known = this.#states.get(key);
    if (known !== undefined) return known;
    if (this.#states.size >= MAX_STATES) this.#forget();
    const accepts = steps.some((step) => this.#program[step]!.op === "match");
    const state: State = { steps, accepts, next: new Map() };
    this.#states.set(key, state);
    return state;
  }

  #forget(): void {
    this.#states = new Map();
    this.#start = undefined;
  }

  /** Every step that can be reached without consuming a character. */
  #closure(from: readonly number[]): number[] {
    const seen = new Set<number>();
    const open = [...from];
    for (let step = open.pop(); step !== undefined; step = open.pop()) {
      if (seen.has(step)) continue;
      seen.add(step);
      const found = this.#program[step]!;
      if (found.op === "split") open.push(found.to, found.or);
      else if (found.op === "jump") open.push(found.to);
      else if (found.op === "save") open.push(step + 1);
    }
    return [...seen]
      .filter((step) => !["split", "jump", "save"].includes(this.#program[step]!.op))
      .toSorted((a, b) => a - b);
  }
}
