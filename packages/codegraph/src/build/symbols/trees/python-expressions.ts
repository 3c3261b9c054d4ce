import { ANY_NAME } from "../../../graph/index.ts";
import { djangoRoute } from "../../entrypoints/python.ts";
import type { SyntaxNode } from "../../languages/grammars.ts";
import { INDEXED, OP, SITE_FLAG } from "../facts/ops.ts";
import { builtinResult, isPythonBuiltin } from "./python-builtins.ts";
import { boundNames, starredName, starredTwin } from "./python-names.ts";
import type { PythonTypes } from "./python-types.ts";
import { children, field, stringNodeText } from "./tree-walk.ts";
import type { TreeWalk } from "./tree-walk.ts";

/** The parts of statements that expressions contain. */
export interface Statements {
  /** Assigns to a target, as in `with … as target`. */
  assign(target: SyntaxNode | undefined, held: number): void;
  assignment(node: SyntaxNode): number;
  block(statements: readonly SyntaxNode[]): void;
  clause(node: SyntaxNode): number;
  /** Walks a function. It may run after later assignments to variables of the outer scopes. */
  capturing(walk: () => void): void;
  parameters(list: readonly SyntaxNode[], self: number): number[];
  /** The meaning of a name in the body of a class; undefined elsewhere. */
  member(name: string): number | undefined;
  /** Whether the module declares a symbol only in some cases. */
  readonly isConditional: (symbol: number) => boolean;
}

/** Walks expressions. The number of a node stands for its value. */
export class PythonExpressions {
  readonly #x: TreeWalk;
  readonly #types: PythonTypes;
  readonly #statements: Statements;
  /** The values that the current function yields. */
  yields: number[] = [];
  /** The class of the current method. */
  owner = 0;
  /** The name of the method that returns the value of `with … as`. */
  entering = "__enter__";
  /** The name that the current statement declares. Its value is evaluated before. */
  declaring: string | undefined;

  constructor(x: TreeWalk, types: PythonTypes, statements: Statements) {
    this.#x = x;
    this.#types = types;
    this.#statements = statements;
  }

  walk(node: SyntaxNode | undefined, flags = 0): number {
    return node ? this.#x.deeper(() => this.#expression(node, flags)) : 0;
  }

  #expression(node: SyntaxNode, flags: number): number {
    const x = this.#x;
    switch (node.type) {
      case "identifier":
        return this.name(node.text, node, flags);
      case "attribute":
        return this.#attribute(node, flags);
      case "call":
        return this.#call(node);
      case "await":
      case "parenthesized_expression":
        return this.walk(children(node)[0], flags);
      case "subscript":
        return this.#subscript(node, flags);
      case "assignment":
        return this.#statements.assignment(node);
      case "named_expression":
        return this.#walrus(node);
      case "lambda":
        return this.#lambda(node);
      case "keyword_argument":
        x.writer.unresolved(field(node, "name")?.text ?? "", "key");
        return this.walk(field(node, "value"));
      case "conditional_expression": {
        const [yes, , no] = children(node).map((part) => this.walk(part));
        return x.writer.oneOf([yes ?? 0, no ?? 0]);
      }
      case "boolean_operator":
        return x.writer.oneOf(children(node).map((part) => this.walk(part)));
      default:
        return this.#literal(node);
    }
  }

  #literal(node: SyntaxNode): number {
    const { writer } = this.#x;
    switch (node.type) {
      case "string":
      case "concatenated_string":
      case "comparison_operator":
      case "not_operator":
        for (const part of children(node)) this.walk(part);
        return writer.node1(OP.literal, 0);
      case "integer":
      case "float":
      case "true":
      case "false":
      case "none":
        return writer.node1(OP.literal, node.type === "none" ? 3 : 1);
      case "list":
      case "set":
        return writer.node1(OP.array, writer.oneOf(children(node).map((part) => this.walk(part))));
      case "tuple":
      case "expression_list":
        return writer.many(
          OP.tuple,
          children(node).map((part) => this.walk(part)),
        );
      case "list_comprehension":
      case "set_comprehension":
      case "generator_expression":
      case "dictionary_comprehension":
        return this.#comprehension(node);
      case "as_pattern":
        return this.#as(node);
      case "yield":
        this.yields.push(this.walk(children(node)[0]));
        return 0;
      case "block":
        this.#statements.block(children(node));
        return 0;
      case "type":
        return this.#types.node(node);
      default:
        for (const part of children(node)) this.walk(part);
        return 0;
    }
  }

  name(name: string, at: SyntaxNode, flags: number): number {
    const { scopes, writer } = this.#x;
    const own = this.#statements.member(name);
    const found = own ?? scopes.value(name);
    if (found === undefined || this.#isDeclaring(name, found)) {
      return this.#undeclared(name, at, flags);
    }
    const op = writer.code[found];
    if (op !== OP.local && op !== OP.narrowed) this.#x.site(found, at, flags);
    const starred = own === undefined ? starredTwin(this.#x, this.#statements, name, found) : 0;
    if (starred === 0) return found;
    this.#x.site(starred, at, flags);
    return writer.many(OP.union, [found, starred]);
  }

  /** In `sorted = sorted` and `class Item(Item)`, the second name has an earlier meaning. */
  #isDeclaring(name: string, found: number): boolean {
    const { code } = this.#x.writer;
    return name === this.declaring && code[found] === OP.symbol && code[found + 1] === -1;
  }

  /** A name that a star import may bring, even if it is the name of a built-in. */
  #undeclared(name: string, at: SyntaxNode, flags: number): number {
    const { writer } = this.#x;
    const builtin = isPythonBuiltin(name)
      ? writer.node2(OP.imported, writer.text("builtins"), writer.text(name))
      : undefined;
    const starred = starredName(writer, name);
    if (starred !== undefined) this.#x.site(starred, at, flags);
    else if (builtin === undefined) writer.unresolved(name, "value");
    if (starred === undefined || builtin === undefined) return starred ?? builtin ?? 0;
    return writer.many(OP.union, [starred, builtin]);
  }

  #attribute(node: SyntaxNode, flags: number): number {
    const x = this.#x;
    const name = field(node, "attribute");
    const known = x.scopes.value(node.text);
    // A module that `import a.b` imports is recorded under the name `a.b`.
    if (known !== undefined && x.writer.code[known] === OP.module) return known;
    const owner = this.walk(field(node, "object"));
    if (!name) return 0;
    const found = x.member(owner, name.text);
    x.site(found, name, flags);
    return found;
  }

  #subscript(node: SyntaxNode, flags: number): number {
    const [value, ...rest] = children(node);
    const held = this.walk(value, flags);
    for (const part of rest) this.walk(part);
    if (this.#types.isGeneric(value?.text ?? "")) {
      for (const part of rest) this.#types.strings(part);
    }
    const index = rest[0]?.type === "integer" ? Number(rest[0].text) : INDEXED;
    return held === 0 ? 0 : this.#x.writer.node2(OP.element, held, index);
  }

  #call(node: SyntaxNode): number {
    const callee = field(node, "function");
    const given = field(node, "arguments");
    if (callee?.text === "super" && this.owner !== 0) {
      for (const part of children(given)) this.walk(part);
      return this.#super();
    }
    const found = this.walk(callee, SITE_FLAG.call);
    this.#quotedTypes(callee?.text ?? "", children(given));
    const values = children(given).map((part) => this.walk(part));
    djangoRoute(this.#x, node, (part) => this.walk(part));
    const isBuiltin =
      callee?.type === "identifier" &&
      isPythonBuiltin(callee.text) &&
      this.#x.scopes.value(callee.text) === undefined;
    if (!isBuiltin) return this.#x.call(found);
    const result = this.#builtin(callee.text, values, children(given));
    if (starredName(this.#x.writer, callee.text) === undefined) return result;
    return this.#x.writer.many(OP.union, [this.#x.call(found), result]);
  }

  /** `cast("Item", value)` and `TypeVar("T", bound="Item")` contain types as strings. */
  #quotedTypes(callee: string, parts: readonly SyntaxNode[]): void {
    if (/(?:^|\.)cast$/.test(callee)) this.#types.node(parts[0]);
    if (!/(?:^|\.)(?:TypeVar|NewType|NamedTuple|TypedDict|TypeAliasType)$/.test(callee)) return;
    for (const part of parts.slice(1)) this.#types.strings(field(part, "value") ?? part);
  }

  #super(): number {
    const { writer } = this.#x;
    return writer.node2(OP.parent, writer.code[this.owner + 1]!, 0);
  }

  #builtin(name: string, values: readonly number[], parts: readonly SyntaxNode[]): number {
    const { writer } = this.#x;
    const [first = 0] = values;
    if (/^(?:get|set|has|del)attr$/.test(name)) {
      const text = stringNodeText(parts[1]);
      if (text !== undefined) writer.unresolved(text, "member");
      else if (first !== 0 && parts[1]) {
        this.#x.site(this.#x.member(first, ANY_NAME), parts[1], 0);
      }
    }
    switch (builtinResult(name)) {
      case "list":
        return writer.node1(OP.array, this.element(first));
      case "element":
        return this.element(first);
      case "pairs": {
        const index = name === "enumerate" ? [writer.node1(OP.literal, 1)] : [];
        const lists = name === "enumerate" ? [first] : values;
        const parted = lists.map((list) => this.element(list));
        return writer.node1(OP.array, writer.many(OP.tuple, [...index, ...parted]));
      }
      case "plain":
        return writer.node1(OP.literal, 0);
      default:
        return 0;
    }
  }

  element(list: number): number {
    return list === 0 ? 0 : this.#x.writer.node2(OP.element, list, -1);
  }

  #walrus(node: SyntaxNode): number {
    const held = this.walk(field(node, "value"));
    this.#statements.assign(field(node, "name"), held);
    return held;
  }

  #lambda(node: SyntaxNode): number {
    const list = children(field(node, "parameters"));
    for (const part of list) this.walk(field(part, "value"));
    let found = 0;
    this.#statements.capturing(() => {
      const parameters = this.#statements.parameters(list, 0);
      found = this.#x.func(parameters, this.walk(field(node, "body")));
    });
    return found;
  }

  #comprehension(node: SyntaxNode): number {
    let made = 0;
    this.#x.scoped(() => {
      for (const clause of children(node).filter(({ type }) => type === "for_in_clause")) {
        const list = this.walk(field(clause, "right"));
        for (const name of boundNames(field(clause, "left"))) {
          this.#x.scopes.declareValue(name.text, this.#x.writer.node1(OP.local, 0));
        }
        this.#statements.assign(field(clause, "left"), this.element(list));
      }
      for (const part of children(node)) {
        if (part.type === "for_in_clause") continue;
        const held = part.type === "if_clause" ? this.#statements.clause(part) : this.walk(part);
        if (part.type !== "if_clause") made = held;
      }
    });
    return node.type.startsWith("dictionary") ? 0 : this.#x.writer.node1(OP.array, made);
  }

  /** `with open() as file`: the result of entering the context. */
  #as(node: SyntaxNode): number {
    const [value] = children(node);
    const held = this.walk(value);
    const entered = held === 0 ? 0 : this.#x.call(this.#x.member(held, this.entering));
    this.#statements.assign(children(field(node, "alias"))[0], entered);
    return held;
  }
}
