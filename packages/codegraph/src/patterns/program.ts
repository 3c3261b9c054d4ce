import type { Part } from "./syntax.ts";

/** One step of a pattern's program. `to` and `or` refer to steps. */
export type Step =
  | { readonly op: "char"; readonly code: number }
  | { readonly op: "any" }
  | { readonly op: "all" }
  | { readonly op: "set"; readonly ranges: readonly (readonly [number, number])[]; not: boolean }
  | { readonly op: "split"; to: number; or: number }
  | { readonly op: "jump"; to: number }
  | { readonly op: "save"; readonly slot: number }
  | { readonly op: "match" };

const SLASH = "/".charCodeAt(0);

/** Compiles a pattern to steps that match all alternatives at once. */
export function getProgram(part: Part): readonly Step[] {
  const steps: Step[] = [];
  emit(part, steps);
  steps.push({ op: "match" });
  return steps;
}

function emit(part: Part, steps: Step[]): void {
  switch (part.type) {
    case "char":
      steps.push({ op: "char", code: part.code });
      return;
    case "any":
    case "all":
      steps.push({ op: part.type });
      return;
    case "set":
      steps.push({ op: "set", ranges: part.ranges, not: part.not });
      return;
    case "list":
      for (const item of part.parts) emit(item, steps);
      return;
    case "many":
      emitMany(part.of, steps);
      return;
    case "maybe":
      emitMaybe(part.of, steps);
      return;
    case "one":
      emitOne(part.parts, steps);
      return;
    case "capture":
      steps.push({ op: "save", slot: part.index * 2 });
      emit(part.of, steps);
      steps.push({ op: "save", slot: part.index * 2 + 1 });
  }
}

function emitMany(part: Part, steps: Step[]): void {
  const split: Step = { op: "split", to: steps.length + 1, or: 0 };
  const start = steps.push(split) - 1;
  emit(part, steps);
  steps.push({ op: "jump", to: start });
  split.or = steps.length;
}

function emitMaybe(part: Part, steps: Step[]): void {
  const split: Step = { op: "split", to: steps.length + 1, or: 0 };
  steps.push(split);
  emit(part, steps);
  split.or = steps.length;
}

function emitOne(parts: readonly Part[], steps: Step[]): void {
  const exits: { to: number }[] = [];
  for (const [index, part] of parts.entries()) {
    if (index === parts.length - 1) {
      emit(part, steps);
      break;
    }
    const split: Step = { op: "split", to: steps.length + 1, or: 0 };
    steps.push(split);
    emit(part, steps);
    const exit: Step = { op: "jump", to: 0 };
    steps.push(exit);
    exits.push(exit);
    split.or = steps.length;
  }
  for (const exit of exits) exit.to = steps.length;
}

/** Whether a step accepts this character. */
export function takes(step: Step, code: number): boolean {
  switch (step.op) {
    case "char":
      return step.code === code;
    case "any":
      return code !== SLASH;
    case "all":
      return true;
    case "set":
      return code !== SLASH && step.ranges.some(([a, b]) => code >= a && code <= b) !== step.not;
    default:
      return false;
  }
}
