import { Kind, parse } from "graphql";
import type { DefinitionNode } from "graphql";

/** The names by which a query can be recognised: its operations and the fields at their roots. */
export function operationsOf(query: string): string[] {
  try {
    return parse(query, { noLocation: true }).definitions.flatMap(namesOf);
  } catch {
    return [];
  }
}

function namesOf(definition: DefinitionNode): string[] {
  if (definition.kind !== Kind.OPERATION_DEFINITION) return [];
  const fields = definition.selectionSet.selections.flatMap((one) =>
    one.kind === Kind.FIELD ? [one.name.value] : [],
  );
  return [...(definition.name === undefined ? [] : [definition.name.value]), ...fields];
}
