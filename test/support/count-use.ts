import { readScenarios } from "../../benchmarks/agent/scenario/read.ts";
import type { Scenario } from "../../benchmarks/agent/types.ts";

/** How many tasks call a capability, and the inputs that they give. */
export interface Use {
  readonly uses: number;
  readonly inputs: readonly string[];
}

/** The capabilities of one task with their inputs. A loop over many items counts once. */
function usedInputs({ steps }: Scenario): Map<string, Set<string>> {
  const used = new Map<string, Set<string>>();
  for (const { capability, params } of steps) {
    const inputs = used.get(capability) ?? new Set();
    used.set(capability, new Set([...inputs, ...Object.keys(params)]));
  }
  return used;
}

/** The use of each capability in the tasks of the benchmark, the most used first. */
export function countUse(): Record<string, Use> {
  const counted = new Map<string, { uses: number; inputs: Set<string> }>();
  const tasks = readScenarios().filter(({ kind }) => kind !== "code");
  for (const [id, inputs] of tasks.flatMap((task) => [...usedInputs(task)])) {
    const use = counted.get(id) ?? { uses: 0, inputs: new Set() };
    counted.set(id, { uses: use.uses + 1, inputs: new Set([...use.inputs, ...inputs]) });
  }
  const entries = [...counted].map(
    ([id, { uses, inputs }]) => [id, { uses, inputs: [...inputs].toSorted() }] as const,
  );
  return Object.fromEntries(
    entries.toSorted(([a, one], [b, two]) => two.uses - one.uses || (a < b ? -1 : 1)),
  );
}
