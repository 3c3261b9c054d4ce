import type { SyntaxNode } from "../languages/grammars.ts";
import { children, field, stringNodeText } from "../symbols/trees/tree-walk.ts";
import type { TreeWalk } from "../symbols/trees/tree-walk.ts";
import { joinPaths } from "./paths.ts";

const MAX_STEPS = 40;
/** `v1 := r.Group("/v1")` of gin and echo, `r.Route("/v1", func(r chi.Router) {…})` of chi. */
const BELOW = /^(?:Group|Route)$/;

/** The paths below which routers of gin, echo and chi stand, by the variables that hold them. */
export class GoRouters {
  readonly #x: TreeWalk;
  readonly #prefixes = new Map<number, string>();
  #given: { readonly name: string; readonly prefix: string } | undefined;

  constructor(x: TreeWalk) {
    this.#x = x;
  }

  /** The path that a router was given, with those of the routers that it comes from. */
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

  /** Keeps what a new variable holds, if that is a router below a path. */
  hold(variable: number, value: SyntaxNode | undefined): void {
    const prefix = this.prefixOf(value);
    if (prefix !== "/") this.#prefixes.set(variable, prefix);
  }

  /** Walks the arguments of a call; a function among them may be given a router of its own. */
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

  /** A parameter of a function that a call was given: its router, if it has that name. */
  parameter(name: string, variable: number): void {
    if (this.#given?.name !== name) return;
    this.#prefixes.set(variable, this.#given.prefix);
    this.#given = undefined;
  }
}

function getMethod(callee: SyntaxNode | undefined): string {
  return callee?.type === "selector_expression" ? (field(callee, "field")?.text ?? "") : "";
}
