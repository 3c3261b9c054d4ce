import type { SourceState } from "./source-slot.ts";

const MAX_NAMED = 10;

/** One line that names the sources that could not be searched. Undefined if there are none. */
export function missingSources(states: readonly SourceState[]): string | undefined {
  const names = states.filter(({ state }) => state !== "up").map(({ name }) => name);
  if (names.length === 0) return undefined;
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : "";
  return `Sources that could not be searched: ${names.slice(0, MAX_NAMED).join(", ")}${more}`;
}
