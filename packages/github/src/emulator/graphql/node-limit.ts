import { Kind, getOperationAST } from "graphql";
import type { DocumentNode, FieldNode, FragmentDefinitionNode, SelectionSetNode } from "graphql";
import type { GithubError } from "./failure.ts";

const MAX_NODES = 500_000;
const MAX_DEPTH = 200;

type Variables = Readonly<Record<string, unknown>>;

/**
 * The error for a query that could return too many nodes. As on GitHub, nodes are counted before
 * the query runs.
 */
export function nodeLimitError(
  document: DocumentNode,
  variables: Variables,
  operationName: string | null,
): GithubError | undefined {
  const operation = getOperationAST(document, operationName);
  if (!operation) return undefined;
  const defaults = (operation.variableDefinitions ?? []).flatMap(({ variable, defaultValue }) =>
    defaultValue?.kind === Kind.INT ? [[variable.name.value, Number(defaultValue.value)]] : [],
  );
  const values = { ...(Object.fromEntries(defaults) as Variables), ...variables };
  const nodes = new NodeCount(document, values).below(operation.selectionSet, 1, 0);
  if (nodes <= MAX_NODES) return undefined;
  const [asked, limit] = [nodes, MAX_NODES].map((one) => one.toLocaleString("en-US"));
  return {
    type: "MAX_NODE_LIMIT_EXCEEDED",
    message: `This query requests up to ${asked} possible nodes which exceeds the maximum limit of ${limit}.`,
  };
}

class NodeCount {
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly #values: Variables;

  constructor({ definitions }: DocumentNode, values: Variables) {
    const fragments = definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION);
    this.#fragments = new Map(
      fragments.flatMap((one) =>
        one.kind === Kind.FRAGMENT_DEFINITION ? [[one.name.value, one] as const] : [],
      ),
    );
    this.#values = values;
  }

  /** The number of requested nodes below a selection that is itself repeated `times` times. */
  below({ selections }: SelectionSetNode, times: number, depth: number): number {
    if (depth > MAX_DEPTH) return 0;
    let sum = 0;
    for (const one of selections) {
      const inner = one.kind === Kind.FRAGMENT_SPREAD ? this.#fragments.get(one.name.value) : one;
      const size = one.kind === Kind.FIELD ? this.#size(one) : undefined;
      const each = times * (size ?? 1);
      if (size !== undefined) sum += each;
      if (inner?.selectionSet !== undefined) sum += this.below(inner.selectionSet, each, depth + 1);
    }
    return sum;
  }

  /** The requested size of a connection; undefined for other fields. */
  #size({ arguments: given = [] }: FieldNode): number | undefined {
    const sizes = given.filter(({ name }) => name.value === "first" || name.value === "last");
    const values = sizes.map(({ value }) => {
      if (value.kind === Kind.INT) return Number(value.value);
      return value.kind === Kind.VARIABLE ? Number(this.#values[value.name.value]) : Number.NaN;
    });
    return values.find((value) => Number.isFinite(value));
  }
}
