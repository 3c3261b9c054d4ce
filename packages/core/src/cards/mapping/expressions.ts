import { boundedSearch } from "./bounded-search.ts";
import type { Tree } from "./bounded-search.ts";
import { dottedPath, treePath } from "./plain-path.ts";
import type { ExpressionNode, PlainPath, PreparedMapping, SyntaxTree } from "./prepared-mapping.ts";
import {
  allowedVariables,
  getReads,
  treeProblem,
  getVariables,
  withWideNot,
} from "./syntax-tree.ts";

type Library = typeof import("@jmespath-community/jmespath");
type Constant = { readonly is: "constant"; readonly value: unknown };

const MAX_EXPRESSION_LENGTH = 2_000;

let library: Library | undefined;
let loading: Promise<Library> | undefined;

/**
 * Loads the JMESPath library. It is needed for parsing and for expressions that are more than a
 * path. A program whose cards use only plain paths never loads it.
 */
export async function loadExpressions(): Promise<void> {
  loading ??= import("@jmespath-community/jmespath");
  library = await loading;
}

export function areExpressionsLoaded(): boolean {
  return library !== undefined;
}

/** Throws a plain Error if the library is not loaded. That is a bug in the calling code. */
export function requireExpressions(): void {
  loaded();
}

function loaded(): Library {
  if (library === undefined) throw new Error("await loadExpressions() before using expressions");
  return library;
}

function parseExpression(text: string): SyntaxTree {
  try {
    return withWideNot(loaded().compile(text) as unknown as SyntaxTree);
  } catch (error) {
    const reason = error instanceof SyntaxError || !(error instanceof Error) ? "" : error.message;
    const isTold = /^(syntax|invalid|unknown|expected)/i.test(reason);
    throw new TypeError(isTold ? reason : "it is incomplete, or not JMESPath", {
      cause: error,
    });
  }
}

/** Parses an expression. Throws a TypeError that names the problem. */
export function prepareExpression(text: string): PreparedMapping {
  if (text.length > MAX_EXPRESSION_LENGTH) {
    throw new TypeError(`it is longer than ${MAX_EXPRESSION_LENGTH} characters; shorten it`);
  }
  const dotted = dottedPath(text);
  const tree = dotted === undefined ? parseExpression(text) : undefined;
  const path = dotted ?? treePath(tree!);
  const unknown = path?.variable !== undefined && !allowedVariables.has(path.variable);
  if (path !== undefined && !unknown) return preparedPath(path);
  return preparedTree(text, tree ?? parseExpression(text));
}

function preparedPath({ variable, keys }: PlainPath): PreparedMapping {
  return variable === undefined ? keys : { is: "variable", variable, keys };
}

function preparedTree(text: string, tree: SyntaxTree): Constant | ExpressionNode {
  if (tree.type === "Literal") return { is: "constant", value: tree["value"] };
  const problem = treeProblem(tree, new Set(loaded().getRegisteredFunctions()));
  if (problem !== undefined) throw new TypeError(problem);
  return { is: "expression", text, tree, reads: getReads(tree), variables: getVariables(tree) };
}

/**
 * Inserts the values of Waybill's variables as literals, because the library has variables only
 * inside `let`.
 */
function boundNode(node: unknown, variables: Readonly<Record<string, unknown>>): unknown {
  if (Array.isArray(node)) return node.map((item) => boundNode(item, variables));
  if (typeof node !== "object" || node === null) return node;
  const tree = node as SyntaxTree;
  if (tree.type === "Literal") return tree;
  if (tree.type === "Variable" && allowedVariables.has(tree["name"] as string)) {
    return { type: "Literal", value: variables[tree["name"] as string] ?? null };
  }
  return Object.fromEntries(
    Object.entries(tree).map(([key, child]) => [key, boundNode(child, variables)]),
  );
}

/** Returns the result of the expression, or null. Throws the errors of the library. */
export function runExpression(
  node: ExpressionNode,
  value: unknown,
  variables: Readonly<Record<string, unknown>>,
): unknown {
  const tree = node.variables.length === 0 ? node.tree : boundNode(node.tree, variables);
  return boundedSearch(loaded(), tree as Tree, value);
}
