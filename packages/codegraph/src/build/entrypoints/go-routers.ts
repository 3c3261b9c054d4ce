import type { SyntaxNode } from "../languages/grammars.ts";
import { children, field, stringNodeText } from "../symbols/trees/tree-walk.ts";
import type { TreeWalk } from "../symbols/trees/tree-walk.ts";
import { joinPaths } from "./paths.ts";

const MAX_STEPS = 40;
/**
 * Matches `v1 := r.Group("/v1")` in gin and echo, and `r.Route("/v1", func(r chi.Router) {…})` in
 * chi.
 */
const BELOW = /^(?:Group|Route)$/;

/** The path prefixes of routers in gin, echo and chi, by variable. */
export class GoRouters {
  readonly #x: TreeWalk;
  readonly #prefixes = new Map<number, string>();
  #given: { readonly name: string; readonly prefix: string } | undefined;

  constructor(x: TreeWalk) {
    this.#x = x;
  }

  /** The path prefix of a router, including those of its parent routers. */
  prefixOf(router: SyntaxNode | undefined): string {
    const parts: string[] = [];
    let node = router;
    for (let step = 0; step < MAX_STEPS && node?.type === "call_expression"; step++) {
      const callee = field(node, "function");
      const [path] = children(field(node, "arguments"));
      if (BELOW.test(getMethod(callee))) parts.unshift(stringNodeText(path) ?? "");
      node = callee && field(callee, "operand");
    }
    const known = node?.type === "identifier" ? this.#x.scopes.value(node.text) : undefined;
    return joinPaths(this.#prefixes.get(known ?? 0) ?? "", ...parts);
  }

  /** Records a variable, if its value is a router with a prefix. */
  hold(variable: number, value: SyntaxNode | undefined): void {
    const prefix = this.prefixOf(value);
    if (prefix !== "/") this.#prefixes.set(variable, prefix);
  }

  /** Walks the arguments of a call. A function in them may get its own router. */
  scoped(call: SyntaxNode, walk: () => void): void {
    const callee = field(call, "function");
    const literal = children(field(call, "arguments")).find(({ type }) => type === "func_literal");
    const [parameter] = children(literal && field(literal, "parameters"));
    const name = parameter && field(parameter, "name")?.text;
    if (name === undefined || !BELOW.test(getMethod(callee))) return walk();
    const outer = this.#given;
    this.#given = { name, prefix: this.prefixOf(call) };
    walk();
    this.#given = outer;
  }

  /** Records a parameter of a function in a call, if the call passes the router to it. */
  parameter(name: string, variable: number): void {
    if (this.#given?.name !== name) return;
    this.#prefixes.set(variable, this.#given.prefix);
    this.#given = undefined;
  }
}

function getMethod(callee: SyntaxNode | undefined): string {
  return callee?.type === "selector_expression" ? (field(callee, "field")?.text ?? "") : "";
}
