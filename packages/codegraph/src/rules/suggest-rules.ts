import type { CodeGraph } from "../graph/index.ts";
import {
  commonBase,
  findComponents,
  findGroupName,
  importsBetween,
  linksOut,
  perGraph,
} from "../analysis/index.ts";
import type { ForbiddenRule } from "./rule.ts";

/** A rule that is true today, with the evidence for it. */
export interface Suggestion {
  readonly rule: ForbiddenRule;
  readonly reason: string;
}

interface Group {
  readonly name: string;
  readonly files: number;
}

interface Between {
  readonly groups: readonly Group[];
  /** The number of imports from one group to another. */
  readonly counts: readonly (ReadonlyMap<number, number> | undefined)[];
}

const FEW_FILES = 2;
const MAX_GROUPS = 200;
const MIN_IMPORTS = 3;

function betweenGroups(graph: CodeGraph): Between {
  const modules = Array.from({ length: graph.files.count }, (_, file) => file).filter(
    (file) => graph.files.kind(file) === "module" && graph.files.state(file) !== "skipped",
  );
  const base = commonBase(modules.map((file) => graph.files.path(file)));
  const ids = new Map<string, number>();
  const sizes: number[] = [];
  const groupOf = new Int32Array(graph.files.count).fill(-1);
  for (const file of modules) {
    const name = findGroupName(graph.files.path(file), base);
    if (name === undefined || (ids.size >= MAX_GROUPS && !ids.has(name))) continue;
    const id = ids.get(name) ?? ids.size;
    ids.set(name, id);
    sizes[id] = (sizes[id] ?? 0) + 1;
    groupOf[file] = id;
  }
  const groups = [...ids.keys()].map((name, id) => ({ name, files: sizes[id]! }));
  return { groups, counts: importsBetween(graph, groupOf) };
}

function oneWay({ groups, counts }: Between): Suggestion[] {
  const found: { count: number; suggestion: Suggestion }[] = [];
  for (const [from, row] of counts.entries()) {
    for (const [to, count] of row ?? []) {
      if (counts[to]?.has(from) === true || count < MIN_IMPORTS) continue;
      const [upper, lower] = [groups[from]!, groups[to]!];
      if (upper.files < FEW_FILES || lower.files < FEW_FILES) continue;
      const rule: ForbiddenRule = {
        name: `${lower.name}-not-to-${upper.name}`.replaceAll("/", "-"),
        severity: "error",
        from: { path: lower.name },
        to: { path: upper.name },
      };
      const reason = `${upper.name} imports ${lower.name} ${count} times and never the other way`;
      found.push({ count, suggestion: { rule, reason } });
    }
  }
  return found.toSorted((a, b) => b.count - a.count).map(({ suggestion }) => suggestion);
}

/** Suggests rules from the current code: one-way dependencies, and the absence of cycles. */
export const suggestRules: (graph: CodeGraph) => readonly Suggestion[] = perGraph((graph) => {
  const { circles } = findComponents(linksOut(graph));
  const acyclic: Suggestion[] =
    circles.length > 0 || graph.imports.count === 0
      ? []
      : [
          {
            rule: { name: "no-circular", severity: "error", to: { circular: true } },
            reason: "there is no import cycle today",
          },
        ];
  return [...acyclic, ...oneWay(betweenGroups(graph))];
});
