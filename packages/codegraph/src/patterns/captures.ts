import { takes } from "./program.ts";
import type { Step } from "./program.ts";

interface Thread {
  readonly step: number;
  readonly slots: readonly number[];
}

/** The captured text of a match, in order. The first alternative wins. */
export function capturesIn(program: readonly Step[], text: string, count: number): string[] {
  let threads = followThreads(program, [{ step: 0, slots: [] }], 0);
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const moved = threads
      .filter(({ step }) => takes(program[step]!, code))
      .map(({ step, slots }) => ({ step: step + 1, slots }));
    threads = followThreads(program, moved, at + 1);
  }
  const slots = threads.find(({ step }) => program[step]!.op === "match")?.slots ?? [];
  return Array.from({ length: count }, (_, index) => {
    const start = slots[index * 2 + 2];
    return start === undefined ? "" : text.slice(start, slots[index * 2 + 3]);
  });
}

/**
 * The threads (partial matches) in order of preference, at most one for each step, so the work is
 * linear.
 */
function followThreads(program: readonly Step[], threads: readonly Thread[], at: number): Thread[] {
  const seen = new Set<number>();
  const found: Thread[] = [];
  const open = threads.toReversed();
  for (let thread = open.pop(); thread !== undefined; thread = open.pop()) {
    const { step: place, slots } = thread;
    if (seen.has(place)) continue;
    seen.add(place);
    const step = program[place]!;
    if (step.op === "split") open.push({ step: step.or, slots }, { step: step.to, slots });
    else if (step.op === "jump") open.push({ step: step.to, slots });
    else if (step.op === "save") open.push({ step: place + 1, slots: saved(slots, step.slot, at) });
    else found.push(thread);
  }
  return found;
}

function saved(slots: readonly number[], slot: number, at: number): number[] {
  const copy = [...slots];
  copy[slot] = at;
  return copy;
}
