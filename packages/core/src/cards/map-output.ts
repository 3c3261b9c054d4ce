import { isRecord, setOwn } from "../envelope/index.ts";
import type { CardRouteName } from "./card.ts";
import { choosePart } from "./choose-part.ts";
import { evaluate } from "./mapping/index.ts";
import type { MappingScope } from "./mapping/index.ts";
import type { PreparedCard } from "./prepared.ts";
import type { CardScope } from "./request.ts";
import { mapAnswer, outputScope } from "./scope.ts";

export interface MappedOutput {
  readonly data: unknown;
  /**
   * Paths of `data` that are missing in the answer. `include.name` stands for a field group
   * without a mapping.
   */
  readonly missing: readonly string[];
}

/**
 * Merges the members of a field group into the data. Lists of equal length are merged item by
 * item.
 */
function mergedOutput(data: unknown, extra: unknown): unknown {
  if (Array.isArray(data) && Array.isArray(extra) && data.length === extra.length) {
    return data.map((item, index) => mergedOutput(item, extra[index]));
  }
  if (!isRecord(data) || !isRecord(extra)) return extra;
  const both: Record<string, unknown> = { ...data };
  for (const [key, value] of Object.entries(extra)) {
    setOwn(both, key, Object.hasOwn(data, key) ? mergedOutput(data[key], value) : value);
  }
  return both;
}

function withGroup(
  card: PreparedCard,
  route: CardRouteName,
  name: string,
  output: MappedOutput,
  scope: MappingScope,
): MappedOutput {
  const group = card.include[name]?.[route];
  if (group === undefined) return { ...output, missing: [...output.missing, `include.${name}`] };
  const { value, missing } = evaluate(group, scope);
  const data = value === undefined ? output.data : mergedOutput(output.data, value);
  return { data, missing: [...output.missing, ...missing] };
}

/** Maps the answer of a route to the card's data, including the requested field groups. */
export function mapOutput(
  card: PreparedCard,
  route: CardRouteName,
  payload: unknown,
  scope: CardScope,
): MappedOutput {
  const chosen = choosePart(card, route, scope);
  const answer = outputScope(card, payload, scope);
  return mapAnswer(card, `the ${route} answer`, () => {
    const { value, missing } = evaluate(chosen.output ?? [], answer);
    const output: MappedOutput = { data: value ?? null, missing };
    return (scope.include ?? []).reduce(
      (sofar, name) => withGroup(card, chosen.route, name, sofar, answer),
      output,
    );
  });
}
