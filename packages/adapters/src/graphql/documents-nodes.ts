import { Kind } from "graphql";
import type {
  FieldNode,
  FragmentDefinitionNode,
  OperationDefinitionNode,
  SelectionSetNode,
} from "graphql";
import type { NodeTerm } from "@waybill/core/cards";

const ONE: NodeTerm = { factor: 1, variables: [] };
const MAX_DEPTH = 100;

/**
 * The length of a list, multiplied by the number of times that it occurs. Undefined if the field
 * is not a list.
 */
function nodeCount({ arguments: given = [] }: FieldNode, times: NodeTerm): NodeTerm | undefined {
  const size = given.find(({ name }) => name.value === "first" || name.value === "last")?.value;
  if (size?.kind === Kind.INT) return { ...times, factor: times.factor * Number(size.value) };
  if (size?.kind !== Kind.VARIABLE) return undefined;
  return { ...times, variables: [...times.variables, size.name.value].toSorted() };
}

/**
 * The maximum number of items that a document requests, as a sum of products of its variables.
 * Servers such as GitHub's refuse a document that requests too many.
 */
export function nodeTerms(
  operation: OperationDefinitionNode,
  definitions: readonly FragmentDefinitionNode[],
): NodeTerm[] {
  const fragments = new Map(definitions.map((one) => [one.name.value, one]));
  const sums = new Map<string, NodeTerm>();
  const walk = ({ selections }: SelectionSetNode, times: NodeTerm, depth: number): void => {
    if (depth > MAX_DEPTH) return;
    for (const one of selections) {
      const size = one.kind === Kind.FIELD ? nodeCount(one, times) : undefined;
      if (size !== undefined) addTerm(sums, size);
      const inner = one.kind === Kind.FRAGMENT_SPREAD ? fragments.get(one.name.value) : one;
      if (inner?.selectionSet !== undefined) walk(inner.selectionSet, size ?? times, depth + 1);
    }
  };
  walk(operation.selectionSet, ONE, 0);
  return [...sums.values()];
}

function addTerm(sums: Map<string, NodeTerm>, term: NodeTerm): void {
  const key = term.variables.join(",");
  const factor = (sums.get(key)?.factor ?? 0) + term.factor;
  sums.set(key, { ...term, factor });
}
