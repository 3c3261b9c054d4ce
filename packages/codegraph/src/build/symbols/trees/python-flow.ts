import type { SyntaxNode } from "../../languages/grammars.ts";
import { OP } from "../facts/ops.ts";
import { assignedNames } from "./python-names.ts";
import type { TreeWalk } from "./tree-walk.ts";

/** A variable of a function, and everything that is assigned to it. */
interface Variable {
  /** The node whose value is any of the assigned ones. */
  readonly node: number;
  readonly values: number[];
}

interface Frame {
  readonly variables: ReadonlyMap<string, Variable>;
  /** Variables that an inner function assigns. */
  readonly shared: ReadonlySet<string>;
  readonly outer: Frame | undefined;
}

const NONLOCAL = /^\s*nonlocal\s+([\w\s,]+)$/gmu;

/**
 * The values of variables in the functions of a file. Between two branches, a variable has the last
 * assigned value. Where branches join, in a loop and in inner functions, it may have any of them.
 */
export class PythonFlow {
  readonly #x: TreeWalk;
  #frame: Frame | undefined;
  /** The names in the order of their assignments. */
  #assigned: string[] = [];

  constructor(x: TreeWalk) {
    this.#x = x;
  }

  /** Walks the body of a function. */
  inFunction(statements: readonly SyntaxNode[], text: string, walk: () => void): void {
    const { writer } = this.#x;
    const outer = [this.#frame, this.#assigned] as const;
    const variables = new Map<string, Variable>();
    for (const name of assignedNames(statements)) {
      const parameter = this.#x.ownValue(name);
      const node = writer.node1(OP.local, 0);
      variables.set(name, { node, values: parameter === undefined ? [] : [parameter] });
      if (parameter === undefined) this.#x.scopes.declareValue(name, node);
    }
    [this.#frame, this.#assigned] = [{ variables, shared: sharedNames(text), outer: outer[0] }, []];
    walk();
    for (const { node, values } of variables.values()) {
      writer.code[node + 1] = writer.oneOf(values);
    }
    [this.#frame, this.#assigned] = outer;
  }

  /** An inner function runs later, when its outer variables may have any value. */
  capture(): void {
    for (const [name, { node }] of this.#frame?.variables ?? []) {
      this.#x.scopes.declareValue(name, node);
    }
  }

  /** Assigns a value to a variable of a function; false if no function has the variable. */
  assign(name: string, value: number): boolean {
    let frame = this.#frame;
    while (frame && !frame.variables.has(name)) frame = frame.outer;
    const variable = frame?.variables.get(name);
    if (!frame || !variable) return false;
    variable.values.push(value);
    this.#assigned.push(name);
    const isShared = frame !== this.#frame || frame.shared.has(name);
    const { scopes, writer } = this.#x;
    scopes.declareValue(name, isShared ? variable.node : writer.node1(OP.local, value));
    return true;
  }

  /** Walks statements that may be skipped. */
  branch(walk: () => void): void {
    const start = this.#assigned.length;
    walk();
    for (const name of new Set(this.#assigned.slice(start))) this.#join(name);
  }

  /** Walks statements that may be repeated. */
  loop(node: SyntaxNode, walk: () => void): void {
    if (this.#frame) for (const name of assignedNames([node])) this.#join(name);
    this.branch(walk);
  }

  #join(name: string): void {
    const variable = this.#frame?.variables.get(name);
    if (variable) this.#x.scopes.declareValue(name, variable.node);
  }
}

function sharedNames(text: string): Set<string> {
  const lists = Array.from(text.matchAll(NONLOCAL), ([, names = ""]) => names);
  return new Set(lists.flatMap((names) => names.split(",").map((name) => name.trim())));
}
