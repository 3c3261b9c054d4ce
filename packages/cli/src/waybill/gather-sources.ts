import type { Operation } from "@waybill/core";
import type { EffectiveConfig } from "@waybill/local";
import { loadCardSource } from "./card-source.ts";
import type { Surroundings } from "./card-source.ts";

export interface Gathered {
  readonly operations: readonly Operation[];
  /** Token values, which must appear nowhere. */
  readonly secrets: readonly string[];
  readonly warnings: readonly string[];
}

interface Named {
  readonly name: string;
  readonly operation: Operation;
}

/** The first source that offers an id has it; the other is told of, for one of them is a mistake. */
function withoutDoubles(all: readonly Named[]): { operations: Operation[]; warnings: string[] } {
  const sourceOf = new Map<string, string>();
  const operations: Operation[] = [];
  const warnings: string[] = [];
  for (const { name, operation } of all) {
    const { id } = operation.spec;
    const first = sourceOf.get(id);
    if (first === undefined) operations.push(operation);
    else warnings.push(`source ${name}: ${id} is left out, the source ${first} has it already`);
    sourceOf.set(id, first ?? name);
  }
  return { operations, warnings };
}

/** Loads every source; what is wrong with one keeps none of the others out. */
export async function gatherSources(
  sources: EffectiveConfig["sources"],
  surroundings: Surroundings,
): Promise<Gathered> {
  const loaded = await Promise.all(
    Object.entries(sources).map(async ([name, source]) => ({
      name,
      ...(await loadCardSource(source, surroundings)),
    })),
  );
  const all = loaded.flatMap(({ name, operations }) =>
    operations.map((operation) => ({ name, operation })),
  );
  const { operations, warnings } = withoutDoubles(all);
  const problems = loaded.flatMap(({ name, problems: found }) =>
    found.map((problem) => `source ${name}: ${problem}`),
  );
  const secrets = loaded.flatMap(({ secret }) => (secret === undefined ? [] : [secret]));
  return { operations, secrets, warnings: [...problems, ...warnings] };
}
