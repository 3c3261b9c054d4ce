import { isRecord } from "../envelope/index.ts";
import type { OperationSpec } from "../operation/index.ts";
import { idTokens, tokenise } from "./tokens.ts";

/** The weight of a word, depending on where it occurs. */
const WEIGHTS = { id: 5, description: 1, parameter: 0.5 } as const;
const MAX_DESCRIPTION = 400;

/** The parts of an operation that are searched. */
export type SearchedText = Pick<OperationSpec, "id" | "description"> & {
  readonly parameters: readonly string[];
};

function parameterNames(spec: OperationSpec): readonly string[] {
  if (spec.parameters !== undefined) return spec.parameters;
  const schema = spec.inputSchema;
  const properties = isRecord(schema) ? schema["properties"] : undefined;
  return isRecord(properties) ? Object.keys(properties) : [];
}

export function searchedText(spec: OperationSpec): SearchedText {
  return { id: spec.id, description: spec.description, parameters: parameterNames(spec) };
}

/** The words of an operation, each with its weight. */
export function weightedWords({ id, description, parameters }: SearchedText): Map<string, number> {
  const weights = new Map<string, number>();
  const add = (words: readonly string[], weight: number): void => {
    for (const word of words) weights.set(word, (weights.get(word) ?? 0) + weight);
  };
  add(idTokens(id), WEIGHTS.id);
  add(tokenise(description.slice(0, MAX_DESCRIPTION)), WEIGHTS.description);
  for (const name of parameters) add(tokenise(name), WEIGHTS.parameter);
  return weights;
}
