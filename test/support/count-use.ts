import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readScenarios } from "../../benchmarks/agent/scenario/read.ts";
import { root } from "../../scripts/run.mjs";

/** How many tasks call a capability, and the inputs that they give. */
export interface Use {
  readonly uses: number;
  readonly inputs: readonly string[];
}

type Call = readonly [id: string, inputs: readonly string[]];

function scenarioCalls(): Call[] {
  const steps = readScenarios()
    // A task over many items would count one capability forty times.
    .filter(({ kind }) => kind !== "code" && kind !== "bulk")
    .flatMap((scenario) => scenario.steps);
  return steps.map(({ capability, params }) => [capability, Object.keys(params)]);
}

function guideCalls(): Call[] {
  const text = readFileSync(join(root, "docs/guides/github-tasks.md"), "utf8");
  return [...text.matchAll(/waybill run ([\w.]+)(.*)/gu)].map(([, id = "", rest = ""]) => [
    id,
    [...rest.matchAll(/(?<=\s)'?(\w+)=/gu)].map(([, name = ""]) => name),
  ]);
}

/** The use of each capability in the tasks of the benchmark and of the guide, the most used first. */
export function countUse(): Record<string, Use> {
  const counted = new Map<string, { uses: number; inputs: Set<string> }>();
  for (const [id, inputs] of [...scenarioCalls(), ...guideCalls()]) {
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
