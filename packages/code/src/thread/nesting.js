/** @typedef {import("./walk.js").Node} Node */
import { listChildren } from "./walk.js";

/**
 * Limits the nesting of a program. Deep nesting would fill the parser's stack, and V8 ends the
 * whole process if it compiles a regular expression without stack.
 */
const MAX_PARSED = 2_000;
const MAX_TREE = 2_000;
const MESSAGE = "The program nests too deeply. Use a loop, or flatter code";

/** The parser methods that read nested parts. */
const NESTED = [
  "parseStatement",
  "parseMaybeAssign",
  "parseExprOp",
  "parseMaybeUnary",
  "parseExprAtom",
  "parseBindingAtom",
  "regexp_disjunction",
  "regexp_classContents",
  "tsParseType",
  "tsParseNonArrayType",
  "tsParseTypeOperatorOrHigher",
  "tsParseBindingListForSignature",
];

/** @typedef {{ raise(at: number, message: string): never, start: number }} AnyParser */
/** @typedef {(this: AnyParser, ...args: unknown[]) => unknown} Method */

/** A parser with a limit on how deep a program nests. @param {typeof import("acorn").Parser} Parser */
export function withLimitedNesting(Parser) {
  const limited = class extends Parser {};
  const methods = /** @type {Record<string, Method | undefined>} */ (
    /** @type {unknown} */ (Parser.prototype)
  );
  let depth = 0;
  for (const name of NESTED) {
    const inner = methods[name];
    if (inner === undefined) continue;
    /** @type {Method} */
    const outer = function (...args) {
      if (depth >= MAX_PARSED) this.raise(this.start, MESSAGE);
      depth += 1;
      try {
        return inner.apply(this, args);
      } finally {
        depth -= 1;
      }
    };
    Object.defineProperty(limited.prototype, name, { value: outer });
  }
  return limited;
}

/**
 * Throws if the tree is too deep. Chains such as `a.b.c` are parsed in a loop, but become deep
 * trees.
 * @param {Node} tree
 */
export function assertShallow(tree) {
  const open = [{ node: tree, depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, depth } = next;
    if (depth > MAX_TREE) {
      throw Object.assign(new SyntaxError(MESSAGE), { loc: node.loc.start });
    }
    for (const child of listChildren(node)) open.push({ node: child, depth: depth + 1 });
  }
}
