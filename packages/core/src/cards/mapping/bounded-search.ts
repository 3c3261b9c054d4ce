import { fail } from "../../envelope/index.ts";
import { Allowance } from "./allowance.ts";
import { textResult } from "./text-functions.ts";

type Library = typeof import("@jmespath-community/jmespath");
type Interpreter = Library["TreeInterpreter"];
export type Tree = Parameters<Interpreter["visit"]>[0];
type Value = Parameters<Interpreter["visit"]>[1];
type Visit = (node: Tree, value: Value) => Result;
type Result = ReturnType<Interpreter["visit"]>;

/** Kinds of expressions that create a new value. */
const BUILDERS: ReadonlySet<string> = new Set([
  "MultiSelectList",
  "MultiSelectHash",
  "Projection",
  "ValueProjection",
  "FilterProjection",
]);

function isObjectValue(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function readLength(value: unknown): number {
  return typeof value === "string" || Array.isArray(value) ? value.length : 0;
}

/** The size limit for functions whose result is larger than their arguments. */
function getGrowth(name: string, args: readonly unknown[]): number {
  const [first, second, third] = args;
  if (name === "pad_left" || name === "pad_right") return Number(second);
  if (name === "join") return readLength(first) * readLength(second);
  if (name !== "replace") return 0;
  return (readLength(first) / Math.max(1, readLength(second))) * readLength(third);
}

/** Wraps a computed value as a literal of the syntax tree. */
function literalTree(value: unknown): Tree {
  return { type: "Literal", value } as Tree;
}

/**
 * The library's JMESPath interpreter with a limit. Without it, a short expression could use any
 * amount of time and memory and could not be stopped.
 */
class BoundedInterpreter {
  readonly #allowance = new Allowance();
  readonly #interpreter: Interpreter;

  constructor({ TreeInterpreter }: Library) {
    const Base = TreeInterpreter.constructor as new () => Interpreter;
    this.#interpreter = this.#bound(new Base());
  }

  search(tree: Tree, value: Parameters<Interpreter["search"]>[1]): Result {
    this.#allowance.renew();
    return this.#interpreter.search(tree, value);
  }

  /**
   * Counts every step here, because the interpreter's methods call each other through this
   * object.
   */
  #bound(interpreter: Interpreter): Interpreter {
    const { runtime } = interpreter;
    const visit = interpreter.visit.bind(interpreter);
    const withScope = interpreter.withScope.bind(interpreter);
    const callFunction = runtime.callFunction.bind(runtime);
    interpreter.visit = (node, value) => this.#visit(interpreter, visit, node, value);
    interpreter.withScope = (scope) => this.#bound(withScope(scope));
    runtime.callFunction = (name, args) => {
      for (const argument of args) this.#allowance.spend(this.#allowance.sizeOf(argument));
      this.#allowance.refuseOver(getGrowth(name, args));
      const result = textResult(name, args) ?? callFunction(name, args);
      this.#allowance.refuseOver(this.#allowance.sizeOf(result));
      return result;
    };
    return interpreter;
  }

  #visit(self: Interpreter, visit: Visit, node: Tree, value: Value): Result {
    this.#allowance.spend(1);
    // Ignores inherited members, such as the constructor, which the library would find.
    if (node.type === "Field" && isObjectValue(value) && !Object.hasOwn(value, node.name))
      return null;
    if (node.type === "Flatten") return this.#flatten(self, visit, node, value);
    if (node.type === "Comparator") return this.#compare(self, visit, node, value);
    const result = visit(node, value);
    if (BUILDERS.has(node.type)) this.#allowance.refuseOver(this.#allowance.sizeOf(result));
    return result;
  }

  /**
   * Computes the size of the flattened list in advance, because flattening cannot be
   * interrupted.
   */
  #flatten(
    self: Interpreter,
    visit: Visit,
    node: Extract<Tree, { readonly child: unknown }>,
    value: Value,
  ): Result {
    const child = self.visit(node.child, value);
    if (Array.isArray(child)) {
      for (const item of child) this.#allowance.spend(1 + (Array.isArray(item) ? item.length : 0));
    }
    return visit({ ...node, child: literalTree(child) }, value);
  }

  /** Adds the sizes of both values, because they are compared deeply. */
  #compare(
    self: Interpreter,
    visit: Visit,
    node: Extract<Tree, { type: "Comparator" }>,
    value: Value,
  ): Result {
    const left = self.visit(node.left, value);
    const right = self.visit(node.right, value);
    const sizes = [left, right].map((side) => this.#allowance.sizeOf(side));
    this.#allowance.spend(Math.min(...sizes));
    return visit({ ...node, left: literalTree(left), right: literalTree(right) }, value);
  }
}

const interpreters = new WeakMap<Library, BoundedInterpreter>();

/** Runs an expression; throws TOO_LARGE if it takes too much work or memory. */
export function boundedSearch(library: Library, tree: Tree, value: unknown): unknown {
  const interpreter = interpreters.get(library) ?? new BoundedInterpreter(library);
  interpreters.set(library, interpreter);
  try {
    return interpreter.search(tree, value as Parameters<Interpreter["search"]>[1]) ?? null;
  } catch (thrown) {
    // A RangeError means that a string became too long or the stack too deep.
    if (!(thrown instanceof RangeError)) throw thrown;
    throw fail(
      "TOO_LARGE",
      "The expression needs too many steps, or its result is too large",
      { hint: "Use a simpler expression, or request less data" },
      { cause: thrown },
    );
  }
}
