import type { SyntaxNode } from "../../languages/grammars.ts";
import { isPredeclared } from "../../languages/go-names.ts";
import { OP, SITE_FLAG } from "../facts/ops.ts";
import type { GoScope } from "./go-scope.ts";
import { children, field } from "./tree-walk.ts";

/** Reads types in Go and records the names that they use. */
export class GoTypes {
  readonly #scope: GoScope;
  /** Walks an expression inside a type, such as the length of an array. */
  walk: (node: SyntaxNode | undefined) => number = () => 0;

  constructor(scope: GoScope) {
    this.#scope = scope;
  }

  /** The node of a type; 0 if it is unknown. */
  node(type: SyntaxNode | undefined, flags = 0): number {
    return type ? this.#scope.x.deeper(() => this.#node(type, flags)) : 0;
  }

  #node(type: SyntaxNode, flags: number): number {
    const { x } = this.#scope;
    switch (type.type) {
      case "type_identifier":
        return this.#named(type, flags);
      case "qualified_type":
        return x.instance(this.qualified(type, SITE_FLAG.typeOnly | flags));
      case "generic_type":
        for (const part of children(field(type, "type_arguments"))) this.node(part);
        return this.node(field(type, "type"), flags);
      case "array_type":
        this.walk(field(type, "length"));
        return this.#list(field(type, "element"));
      case "slice_type":
      case "implicit_length_array_type":
        return this.#list(field(type, "element"));
      case "map_type":
        return x.writer.many(OP.tuple, [
          this.node(field(type, "key")),
          this.node(field(type, "value")),
        ]);
      case "channel_type":
        return this.#list(field(type, "value"));
      case "function_type":
        return this.signature(field(type, "parameters"), field(type, "result"));
      case "parameter_list":
        return this.result(type);
      case "struct_type":
        return this.#struct(type);
      default:
        return children(type)
          .map((part) => this.node(part, flags))
          .reduce((first, next) => first || next, 0);
    }
  }

  /** A list or channel has elements; a map has a key and a value. */
  #list(element: SyntaxNode | undefined): number {
    return this.#scope.x.writer.node1(OP.array, this.node(element));
  }

  #named(type: SyntaxNode, flags: number): number {
    const { x } = this.#scope;
    const found = this.#scope.named(type.text);
    if (found === undefined) return isPredeclared(type.text) ? x.writer.node1(OP.literal, 0) : 0;
    if (x.writer.code[found] === OP.local) return 0;
    x.site(found, type, SITE_FLAG.typeOnly | flags);
    return x.instance(found);
  }

  /** Reads a type of another package, such as `pkg.Name`. */
  qualified(type: SyntaxNode, flags: number): number {
    const { x } = this.#scope;
    const name = field(type, "name");
    const owner = this.#scope.named(field(type, "package")?.text ?? "");
    if (owner === undefined || !name) return 0;
    const found = x.member(owner, name.text);
    x.site(found, name, flags);
    return found;
  }

  /** The fields of an anonymous struct. */
  #struct(type: SyntaxNode): number {
    const members: number[] = [];
    const { writer } = this.#scope.x;
    for (const part of typeMembers(type)) {
      const held = this.node(field(part, "type"));
      for (const name of fieldNames(part)) members.push(writer.text(name.text), held);
    }
    const start = writer.code.push(OP.object, members.length / 2) - 2;
    writer.code.push(...members, 0);
    return start;
  }

  /** A function type. Names of parameters are not declared. */
  signature(parameters: SyntaxNode | undefined, result: SyntaxNode | undefined): number {
    const types = children(parameters).flatMap((part) => this.parameter(part));
    return this.#scope.x.func(types, result ? this.result(result) : 0);
  }

  /** The types of a parameter declaration; `a, b int` declares two. */
  parameter(part: SyntaxNode): number[] {
    const type = field(part, "type");
    const isRest = part.type === "variadic_parameter_declaration";
    const held = isRest ? this.#list(type) : this.node(type);
    const count = Math.max(1, parameterNames(part).length);
    return Array.from({ length: count }, () => held);
  }

  /** The result type of a function; several values become a tuple. */
  result(type: SyntaxNode): number {
    if (type.type !== "parameter_list") return this.node(type);
    const types = children(type).flatMap((part) => this.parameter(part));
    return types.length === 1 ? types[0]! : this.#scope.x.writer.many(OP.tuple, types);
  }
}

export function parameterNames(part: SyntaxNode): SyntaxNode[] {
  return children(part).filter(({ type }) => type === "identifier");
}

export function fieldNames(part: SyntaxNode): SyntaxNode[] {
  return children(part).filter(({ type }) => type === "field_identifier");
}

/** The fields of a struct, or the methods and constraints of an interface. */
export function typeMembers(type: SyntaxNode): SyntaxNode[] {
  return children(children(type).find((part) => part.type === "field_declaration_list") ?? type);
}
