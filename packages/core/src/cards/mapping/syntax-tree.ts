import { nearestNames } from "../../schema/index.ts";
import { treePath } from "./plain-path.ts";
import type { PlainPath, SyntaxTree } from "./prepared-mapping.ts";

/** The variables that expressions can use besides the current value, also inside `each`. */
export const allowedVariables: ReadonlySet<string> = new Set([
  "params",
  "lookup",
  "env",
  "include",
  "page",
  "item",
]);

function isTree(value: unknown): value is SyntaxTree {
  return typeof value === "object" && value !== null && !Array.isArray(value) && "type" in value;
}

function getChildren(tree: SyntaxTree): SyntaxTree[] {
  if (tree.type === "Literal") return [];
  return Object.values(tree).flat().filter(isTree);
}

/** Types of expressions whose right side is evaluated on the result of the left side. */
const LEADING = new Set([
  "Subexpression",
  "IndexExpression",
  "Pipe",
  "Projection",
  "ValueProjection",
  "FilterProjection",
]);

function fixed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(fixed);
  return isTree(value) ? withWideNot(value) : value;
}

/**
 * The library reads `!a.b` as `(!a).b`, which is never useful. This function changes it to
 * `!(a.b)`.
 */
export function withWideNot(tree: SyntaxTree): SyntaxTree {
  if (tree.type === "Literal") return tree;
  const entries = Object.entries(tree).map(([key, value]) => [key, fixed(value)] as const);
  const whole = Object.fromEntries(entries) as SyntaxTree;
  const { left } = whole;
  if (!LEADING.has(tree.type) || tree.type === "Pipe") return whole;
  if (!isTree(left) || left.type !== "NotExpression") return whole;
  return { type: "NotExpression", child: { ...whole, left: left["child"] } };
}

/** Visits every part of a syntax tree, with the names that a surrounding `let` binds. */
function* walk(
  tree: SyntaxTree,
  names: ReadonlySet<string> = new Set(),
  parent = "",
): Generator<{ tree: SyntaxTree; names: ReadonlySet<string>; parent: string }> {
  yield { tree, names, parent };
  const bindings = (tree["bindings"] ?? []) as SyntaxTree[];
  const within = new Set([...names, ...bindings.map((binding) => binding["variable"] as string)]);
  for (const child of getChildren(tree)) yield* walk(child, within, tree.type);
}

function functionProblem(name: string, known: ReadonlySet<string>): string | undefined {
  if (known.has(name)) return undefined;
  const [near] = nearestNames(name, known, 1);
  return `there is no function ${name}()${near === undefined ? "" : `; did you mean ${near}()`}`;
}

/** The error message for the first unknown function in a syntax tree. */
export function unknownFunction(
  root: SyntaxTree,
  known: ReadonlySet<string>,
): { name: string; problem: string } | undefined {
  for (const { tree } of walk(root)) {
    const name = tree["name"] as string;
    const problem = tree.type === "Function" ? functionProblem(name, known) : undefined;
    if (problem !== undefined) return { name, problem };
  }
  return undefined;
}

function variableProblem(name: string, names: ReadonlySet<string>): string | undefined {
  if (names.has(name) || allowedVariables.has(name)) return undefined;
  return `there is no variable $${name}; there are $${[...allowedVariables].join(", $")}`;
}

/** Finds `== true`. It compares with a member named `true`, which is rarely intended. */
function nameProblem(name: string): string | undefined {
  if (name in {}) return `${name} is a built-in member of every object; choose another name`;
  const isValue = name === "true" || name === "false" || name === "null";
  return isValue ? `write the value ${name} in backticks: \`${name}\`` : undefined;
}

/** Finds expressions that the parser accepts but that fail, or mean something else, at run time. */
export function treeProblem(root: SyntaxTree, functions: ReadonlySet<string>): string | undefined {
  for (const { tree, names, parent } of walk(root)) {
    const name = tree["name"] as string;
    let problem: string | undefined;
    if (tree.type === "Function") problem = functionProblem(name, functions);
    else if (tree.type === "Variable") problem = variableProblem(name, names);
    else if (tree.type === "Binding") problem = bindingProblem(tree, parent);
    else if (tree.type === "Field" || tree.type === "KeyValuePair") problem = nameProblem(name);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function bindingProblem(tree: SyntaxTree, parent: string): string | undefined {
  if (parent !== "LetExpression") return `"=" does not compare; write "=="`;
  const name = tree["variable"] as string;
  return allowedVariables.has(name)
    ? `$${name} is already a variable; choose another name`
    : undefined;
}

/** The paths that are read from the current value. */
export function getReads(tree: SyntaxTree): PlainPath[] {
  const path = treePath(tree);
  if (path !== undefined) return path.keys.length === 0 ? [] : [path];
  if (tree.type === "ExpressionReference") return [];
  if (LEADING.has(tree.type)) return getReads(tree["left"] as SyntaxTree);
  return getChildren(tree).flatMap(getReads);
}

/** Every use of a Waybill variable, with the path after it. */
export function getVariables(tree: SyntaxTree): PlainPath[] {
  const path = treePath(tree);
  if (path?.variable !== undefined) return allowedVariables.has(path.variable) ? [path] : [];
  return getChildren(tree).flatMap(getVariables);
}
