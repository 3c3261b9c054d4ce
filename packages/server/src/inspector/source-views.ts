import type { SourceState, Waybill } from "@waybill/core";
import type { InspectorOptions } from "./inspector.ts";
import type { SourcePart, SourceView } from "./wire.ts";

type State = SourceView["state"];

/**
 * The states of a source in order of importance. A source has the first state that any of its
 * parts has.
 */
const URGENT: readonly State[] = ["needs trust", "down", "up", "unknown"];

function describePart({ route, state, trusted, operations }: SourceState): SourcePart {
  return {
    kind: route ?? "capabilities",
    state: trusted ? state : "needs trust",
    ...(operations !== undefined && { operations }),
  };
}

/** The sum of the numbers. Undefined if no part has a number. */
function countOperations(states: readonly SourceState[]): number | undefined {
  const known = states.flatMap(({ operations }) => operations ?? []);
  return known.length === 0 ? undefined : known.reduce((sum, count) => sum + count, 0);
}

/**
 * Joins sources with the same name, because calls are counted by name. If one of them is down,
 * its error is shown, even if a call failed later.
 */
function joinSources(
  name: string,
  states: readonly SourceState[],
  kinds: InspectorOptions["kinds"] = {},
): Omit<SourceView, "calls" | "errors"> {
  const parts = states.map(describePart);
  const operations = countOperations(states);
  const renamed = states.flatMap(({ collisions }) => collisions.map(({ id, as }) => ({ id, as })));
  const problem = states.find((state) => state.problem !== undefined)?.problem;
  return {
    name,
    kind: kinds[name] ?? states[0]?.route ?? "local",
    state: URGENT.find((each) => parts.some(({ state }) => state === each)) ?? "unknown",
    origin: states[0]!.origin,
    ...(parts.length > 1 && { parts }),
    ...(renamed.length > 0 && { renamed }),
    ...(operations !== undefined && { operations }),
    ...(problem !== undefined && { last_error: { code: "SOURCE_DOWN", ...problem } }),
  };
}

/** The configured sources, and sources that are known only from past calls. */
export async function sourceViews(
  waybill: Waybill,
  { history, kinds, accounts }: InspectorOptions,
): Promise<SourceView[]> {
  const totals = new Map((await history.sources()).map((one) => [one.name, one]));
  const signedIn = (await accounts?.()) ?? {};
  const all = waybill.sources();
  const here = [...new Set(all.map(({ name }) => name))].map((name) => {
    const states = all.filter((state) => state.name === name);
    const known = totals.get(name);
    totals.delete(name);
    const own = Object.hasOwn(signedIn, name) ? { accounts: signedIn[name]! } : {};
    return { calls: 0, errors: 0, ...known, ...joinSources(name, states, kinds), ...own };
  });
  const elsewhere = [...totals.values()].map((one) => ({
    ...one,
    kind: one.name === "local" ? "local" : "not configured here",
    state: "unknown" as const,
  }));
  return [...here, ...elsewhere];
}
