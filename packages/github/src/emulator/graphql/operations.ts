import { Kind, OperationTypeNode, parse } from "graphql";
import type { DefinitionNode } from "graphql";

export interface Operations {
  /** By which a query can be recognised: its operations and the fields at their roots. */
  readonly names: string[];
  readonly isMutation: boolean;
}

export function operationsOf(query: string): Operations {
  try {
    const { definitions } = parse(query, { noLocation: true });
    return { names: definitions.flatMap(namesOf), isMutation: definitions.some(isMutation) };
  } catch {
    return { names: [], isMutation: false };
  }
}

function isMutation(definition: DefinitionNode): boolean {
  return (
    definition.kind === Kind.OPERATION_DEFINITION &&
    definition.operation === OperationTypeNode.MUTATION
  );
}

function namesOf(definition: DefinitionNode): string[] {
  if (definition.kind !== Kind.OPERATION_DEFINITION) return [];
  const fields = definition.selectionSet.selections.flatMap((one) =>
    one.kind === Kind.FIELD ? [one.name.value] : [],
  );
  return [...(definition.name === undefined ? [] : [definition.name.value]), ...fields];
}
