import { Kind, OperationTypeNode, parse } from "graphql";
import type { DefinitionNode } from "graphql";

export interface Operations {
  /** The names of the operations and their root fields. */
  readonly names: string[];
  readonly isMutation: boolean;
}

export function getOperations(query: string): Operations {
  try {
    const { definitions } = parse(query, { noLocation: true });
    return { names: definitions.flatMap(rootFieldNames), isMutation: definitions.some(isMutation) };
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

function rootFieldNames(definition: DefinitionNode): string[] {
  if (definition.kind !== Kind.OPERATION_DEFINITION) return [];
  const fields = definition.selectionSet.selections.flatMap((one) =>
    one.kind === Kind.FIELD ? [one.name.value] : [],
  );
  return [...(definition.name === undefined ? [] : [definition.name.value]), ...fields];
}
