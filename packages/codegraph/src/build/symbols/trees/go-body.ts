import { goCall, goCommand } from "../../entrypoints/go.ts";
import type { GivenArgument } from "../../entrypoints/go.ts";
import { GoRouters } from "../../entrypoints/go-routers.ts";
import type { SyntaxNode } from "../../languages/grammars.ts";
import { INDEXED, OP, SITE_FLAG } from "../facts/ops.ts";
import { specsIn } from "./go-scope.ts";
import type { GoScope } from "./go-scope.ts";
import { parameterNames } from "./go-types.ts";
import type { GoTypes } from "./go-types.ts";
import { children, field } from "./tree-walk.ts";
import type { TreeWalk } from "./tree-walk.ts";

/** Statements with their own scope. */
const SCOPES = new Set([
  "block",
  "if_statement",
  "for_statement",
  "expression_switch_statement",
  "select_statement",
  "expression_case",
  "default_case",
]);

/** Walks the bodies of functions. */
export class GoBody {
  readonly #x: TreeWalk;
  readonly #scope: GoScope;
  readonly #types: GoTypes;
  readonly #routers: GoRouters;

  constructor(scope: GoScope, types: GoTypes) {
    this.#x = scope.x;
    this.#scope = scope;
    this.#types = types;
    this.#types.walk = (node) => this.walk(node);
    this.#routers = new GoRouters(scope.x);
  }

  /** Declares the parameters of a function and returns its node. */
  func(node: SyntaxNode): number {
    for (const spec of children(field(node, "type_parameters"))) this.#typeParameter(spec);
    for (const part of children(field(node, "receiver"))) this.#parameter(part);
    const types = children(field(node, "parameters")).flatMap((part) => this.#parameter(part));
    const result = field(node, "result");
    const given = result ? this.#types.result(result) : 0;
    if (result?.type === "parameter_list") {
      for (const part of children(result)) this.#declare(part, this.#types.parameter(part));
    }
    return this.#x.func(types, given);
  }

  #typeParameter(spec: SyntaxNode): void {
    for (const name of parameterNames(spec)) this.#scope.declare(name.text, 0);
    this.#types.node(field(spec, "type"));
  }

  #parameter(part: SyntaxNode): number[] {
    const types = this.#types.parameter(part);
    this.#declare(part, types);
    return types;
  }

  #declare(part: SyntaxNode, types: readonly number[]): void {
    for (const [place, name] of parameterNames(part).entries()) {
      this.#routers.parameter(name.text, this.#scope.declare(name.text, types[place] ?? 0));
    }
  }

  /** Walks an expression or statement and returns its node; 0 if its type is unknown. */
  walk(node: SyntaxNode | undefined, flags = 0): number {
    if (!node) return 0;
    return this.#x.deeper(() => {
      if (!SCOPES.has(node.type)) return this.#walk(node, flags);
      this.#x.scoped(() => this.#each(node));
      return 0;
    });
  }

  #each(node: SyntaxNode): number {
    for (const part of children(node)) this.walk(part);
    return 0;
  }

  #walk(node: SyntaxNode, flags: number): number {
    switch (node.type) {
      case "identifier":
        return this.#identifier(node, flags);
      case "selector_expression":
        return this.#selector(node, flags);
      case "call_expression":
        return this.#call(node);
      case "composite_literal":
        return this.#literal(node);
      case "parenthesized_expression":
        return this.walk(children(node)[0], flags);
      case "unary_expression":
        return this.#unary(node);
      case "index_expression":
        this.walk(field(node, "index"));
        return this.#element(this.walk(field(node, "operand"), flags), INDEXED);
      case "slice_expression":
        for (const part of children(node).slice(1)) this.walk(part);
        return this.walk(field(node, "operand"));
      case "type_assertion_expression":
        this.walk(field(node, "operand"));
        return this.#types.node(field(node, "type"));
      case "type_conversion_expression":
        return this.#conversion(node);
      case "type_instantiation_expression":
        return this.#instantiation(node, flags);
      case "func_literal":
        return this.#literalFunction(node);
      default:
        return this.#statement(node);
    }
  }

  #statement(node: SyntaxNode): number {
    switch (node.type) {
      case "short_var_declaration":
        this.#shortVariables(node);
        return 0;
      case "var_declaration":
      case "const_declaration":
        for (const spec of specsIn(node, ["var_spec", "const_spec"])) this.#variables(spec);
        return 0;
      case "type_declaration":
        for (const spec of specsIn(node, ["type_spec", "type_alias"])) this.#localType(spec);
        return 0;
      case "range_clause":
        this.#range(node);
        return 0;
      case "receive_statement":
        this.#received(node);
        return 0;
      case "type_switch_statement":
        this.#typeSwitch(node);
        return 0;
      case "communication_case":
        this.#x.scoped(() => this.#each(node));
        return 0;
      case "label_name":
        return 0;
      case "slice_type":
      case "map_type":
      case "array_type":
      case "channel_type":
      case "pointer_type":
      case "qualified_type":
      case "generic_type":
      case "type_identifier":
      case "struct_type":
      case "interface_type":
      case "function_type":
        return this.#types.node(node);
      case "binary_expression":
        this.#each(node);
        return this.#x.writer.node1(OP.literal, 0);
      default:
        if (node.type.endsWith("_literal")) return this.#x.writer.node1(OP.literal, 0);
        return this.#each(node);
    }
  }

  #identifier(node: SyntaxNode, flags: number): number {
    const found = this.#scope.named(node.text);
    if (found !== undefined && this.#x.writer.code[found] !== OP.local) {
      this.#x.site(found, node, flags);
    }
    return found ?? this.#x.writer.node1(OP.literal, 0);
  }

  #selector(node: SyntaxNode, flags: number): number {
    const name = field(node, "field");
    const owner = this.walk(field(node, "operand"));
    if (!name) return 0;
    const found = this.#x.member(owner, name.text);
    this.#x.site(found, name, flags);
    return found;
  }

  #unary(node: SyntaxNode): number {
    const held = this.walk(field(node, "operand"));
    return node.text.startsWith("<-") ? this.#element(held) : held;
  }

  #element(list: number, place = -1): number {
    return list === 0 ? 0 : this.#x.writer.node2(OP.element, list, place);
  }

  #call(node: SyntaxNode): number {
    const callee = field(node, "function");
    const parts = children(field(node, "arguments"));
    const made = callee && this.#made(callee.text, parts);
    const found = made === undefined ? this.walk(callee, SITE_FLAG.call) : 0;
    for (const part of children(field(node, "type_arguments"))) this.#types.node(part);
    const given: GivenArgument[] = [];
    this.#routers.scoped(node, () => {
      for (const part of made === undefined ? parts : parts.slice(1)) {
        given.push({ node: this.walk(part), part });
      }
    });
    goCall(this.#x, node, given, this.#scope.imports, this.#routers);
    return made ?? this.#x.call(found);
  }

  /** The result of `new(T)`, `make(T)` and `append(list, …)`, from the first argument. */
  #made(callee: string, [first]: readonly SyntaxNode[]): number | undefined {
    if (!first || this.#x.scopes.value(callee) !== undefined) return undefined;
    if (callee === "append") return this.walk(first);
    if (callee !== "new" && callee !== "make") return undefined;
    return first.type === "identifier" ? this.#typeNamed(first) : this.walk(first);
  }

  #typeNamed(node: SyntaxNode): number {
    const found = this.#scope.named(node.text);
    if (found === undefined || this.#x.writer.code[found] === OP.local) return 0;
    this.#x.site(found, node, SITE_FLAG.typeOnly);
    return this.#x.instance(found);
  }

  /** `T[int](x)` is parsed as a conversion, but may also be a call. */
  #conversion(node: SyntaxNode): number {
    this.walk(field(node, "operand"));
    const type = field(node, "type");
    if (type?.type !== "generic_type") return this.#types.node(type);
    for (const part of children(field(type, "type_arguments"))) this.#types.node(part);
    return this.#x.call(this.#generic(field(type, "type"), SITE_FLAG.call));
  }

  /** `f[int]` is a function with type arguments. */
  #instantiation(node: SyntaxNode, flags: number): number {
    const [type, ...rest] = children(node);
    for (const part of rest) this.#types.node(part);
    return this.#generic(type, flags);
  }

  #generic(name: SyntaxNode | undefined, flags: number): number {
    if (!name) return 0;
    if (name.type === "qualified_type") return this.#types.qualified(name, flags);
    const found = this.#scope.named(name.text) ?? 0;
    this.#x.site(found, name, flags);
    return found;
  }

  /** `T{…}` is a value of type T. */
  #literal(node: SyntaxNode): number {
    const type = this.#types.node(field(node, "type"));
    this.#values(field(node, "body"), type);
    goCommand(this.#x, node, this.#scope.imports);
    return type;
  }

  /** Walks the values in the braces of a literal of this type. */
  #values(body: SyntaxNode | undefined, type: number): void {
    for (const part of children(body)) {
      if (part.type !== "keyed_element") this.#value(part, type);
      else {
        this.#key(children(field(part, "key"))[0], type);
        this.#value(field(part, "value"), type);
      }
    }
  }

  #value(element: SyntaxNode | undefined, type: number): void {
    const [inner] = children(element);
    if (inner?.type === "literal_value") this.#values(inner, this.#element(type, INDEXED));
    else this.walk(inner);
  }

  /** A key is a field of a struct. For a map it may be any expression. */
  #key(key: SyntaxNode | undefined, type: number): void {
    if (key?.type !== "identifier") {
      if (key?.type === "literal_value") this.#values(key, 0);
      else this.walk(key);
      return;
    }
    const held = this.#x.writer.code[type];
    if (held === OP.array || held === OP.tuple) this.walk(key);
    else {
      this.#x.site(this.#x.member(type, key.text), key, 0);
      this.#x.writer.unresolved(key.text, "value");
    }
  }

  #literalFunction(node: SyntaxNode): number {
    let found = 0;
    this.#x.scoped(() => {
      found = this.func(node);
      this.walk(field(node, "body"));
    });
    return found;
  }

  #shortVariables(node: SyntaxNode): void {
    const values = children(field(node, "right"));
    const held = values.map((value) => this.walk(value));
    this.#bind(children(field(node, "left")), held, values);
  }

  /** Declares names with their values. Several names may share one call with several results. */
  #bind(
    names: readonly SyntaxNode[],
    held: readonly number[],
    values: readonly SyntaxNode[] = [],
  ): void {
    for (const [place, name] of names.entries()) {
      const own = held.length === names.length ? held[place]! : this.#part(held[0] ?? 0, place);
      this.#routers.hold(this.#scope.declare(name.text, own), values[place]);
    }
  }

  /** One of several results. Reading a map, a type assertion or a channel also gives a boolean. */
  #part(value: number, place: number): number {
    if (value === 0) return 0;
    const { code } = this.#x.writer;
    if (code[value] === OP.call) return this.#x.writer.node2(OP.element, value, place);
    return place === 0 ? value : this.#x.writer.node1(OP.literal, 2);
  }

  #variables(spec: SyntaxNode): void {
    const type = this.#types.node(field(spec, "type"));
    const held = children(field(spec, "value")).map((value) => this.walk(value));
    const names = parameterNames(spec);
    if (type === 0) return this.#bind(names, held);
    for (const name of names) this.#scope.declare(name.text, type);
  }

  #localType(spec: SyntaxNode): void {
    this.#scope.declare(field(spec, "name")?.text ?? "", 0);
    for (const part of children(field(spec, "type_parameters"))) this.#typeParameter(part);
    this.#types.node(field(spec, "type"));
  }

  #range(node: SyntaxNode): void {
    const list = this.walk(field(node, "right"));
    const names = children(field(node, "left"));
    for (const [place, name] of names.entries()) {
      if (name.type !== "identifier" || !isDeclaring(node)) this.walk(name);
      else {
        this.#scope.declare(name.text, this.#element(list, place));
      }
    }
  }

  /** Walks a receive statement: `x := <-ch` declares x, and `x = <-ch` uses it. */
  #received(node: SyntaxNode): void {
    const value = this.walk(field(node, "right"));
    const names = children(field(node, "left"));
    if (isDeclaring(node)) this.#bind(names, [value]);
    else for (const name of names) this.walk(name);
  }

  /** Walks a type switch. In a case with one type, the value of the switch has that type. */
  #typeSwitch(node: SyntaxNode): void {
    this.#x.scoped(() => {
      this.walk(field(node, "initializer"));
      const value = this.walk(field(node, "value"));
      const [alias] = children(field(node, "alias"));
      for (const part of children(node).filter(({ type }) => type.endsWith("_case"))) {
        this.#x.scoped(() => this.#typeCase(part, alias?.text, value));
      }
    });
  }

  #typeCase(node: SyntaxNode, alias: string | undefined, value: number): void {
    const types = node.childrenForFieldName("type").flatMap((type) => type ?? []);
    const held = types.map((type) => this.#types.node(type));
    if (alias !== undefined) this.#scope.declare(alias, held.length === 1 ? held[0]! : value);
    for (const part of children(node)) if (part.type === "statement_list") this.walk(part);
  }
}

/** Whether a clause declares the names on its left side. */
function isDeclaring(node: SyntaxNode): boolean {
  const left = field(node, "left");
  const right = field(node, "right");
  if (!left || !right) return false;
  return node.text
    .slice(left.endIndex - node.startIndex, right.startIndex - node.startIndex)
    .includes(":=");
}
