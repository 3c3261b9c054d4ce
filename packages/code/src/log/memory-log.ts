import { fail } from "@waybill/core";
import { KEEP_MS } from "./run-log.ts";
import type { LogLine, RunId, RunLog } from "./run-log.ts";

interface Kept {
  /** Lines are stored as text, so that nobody can change them later. */
  lines: string[];
  usedAt: number;
}

const MAX_RUNS = 1_000;

export function runUnderWay(): Error {
  return fail("NOT_READY", "A run with this key is still running", {
    outcome: "unknown",
    hint: "Run the same program with the same key again later to get its answer",
  });
}

/** Stores runs in the memory of this process; the oldest are removed first. */
export function memoryRunLog(): RunLog {
  const kept = new Map<string, Kept>();
  const claimed = new Set<string>();
  const sweep = (): void => {
    for (const [name, { usedAt }] of kept) {
      if (kept.size <= MAX_RUNS && usedAt > Date.now() - KEEP_MS) return;
      if (!claimed.has(name)) kept.delete(name);
    }
  };
  return {
    async claim({ key, caller }: RunId) {
      const name = JSON.stringify([caller, key]);
      if (claimed.has(name)) throw runUnderWay();
      sweep();
      claimed.add(name);
      const run = kept.get(name) ?? { lines: [], usedAt: Date.now() };
      return {
        lines: run.lines.map((line) => JSON.parse(line) as LogLine),
        async append(line) {
          const text = JSON.stringify(line);
          run.lines.push(text);
          run.usedAt = Date.now();
          // Deleted and set again, so that the map stays in order of use.
          kept.delete(name);
          kept.set(name, run);
          return text.length;
        },
        async remove() {
          kept.delete(name);
        },
        async release() {
          claimed.delete(name);
        },
      };
    },
  };
}
