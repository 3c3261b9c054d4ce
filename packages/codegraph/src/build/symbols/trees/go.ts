import type { SyntaxNode } from "../../languages/grammars.ts";
import { goCall, goCommand, goMain } from "../../entrypoints/go.ts";
import { GoRouters } from "../../entrypoints/go-routers.ts";
import type { GivenArgument } from "../../entrypoints/go.ts";
import { OP, SITE_FLAG } from "../facts/ops.ts";
import type { SymbolFacts } from "../facts/symbol-facts.ts";
import { isPredeclared, isStruct, packageName } from "../../languages/go-names.ts";
import { children, field, headOf, quoted, TreeWalk } from "./tree-walk.ts";

/** What the symbols of a Go file say of themselves and use. */
export function extractGo(root: SyntaxNode, path: string): SymbolFacts {
  const walk = new TreeWalk(path, root);
  new GoWalk(walk).file(root);
  return walk.finish();
}

class GoWalk {
  readonly #x: TreeWalk;
  readonly #imports = new Set<string>();
  readonly #types = new Map<string, number>();
  readonly #routers: GoRouters;

  constructor(x: TreeWalk) {
    this.#x = x;
    this.#routers = new GoRouters(x);
  }

  file(root: SyntaxNode): void {
    const declarations = children(root);
    for (const node of declarations) this.#hoist(node);
    for (const node of declarations) this.#declaration(node);
    goMain(this.#x, root);
  }

  #hoist(node: SyntaxNode): void {
    const { scopes, writer } = this.#x;
    for (const spec of node.type === "import_declaration" ? specsIn(node, "import_spec") : []) {
      const path = quoted(field(spec, "path")) ?? "";
      this.#imports.add(path);
      const name = field(spec, "name")?.text ?? packageName(path);
      scopes.declareValue(name, writer.node1(OP.module, writer.text(path)));
    }
    const names = node.type === "function_declaration" ? [node] : specsIn(node, "type_spec");
    for (const named of names) {
      scopes.declareValue(field(named, "name")?.text ?? "", writer.node1(OP.symbol, -1));
    }
  }

  #declaration(node: SyntaxNode): void {
    switch (node.type) {
      case "function_declaration":
        return this.#function(node);
      case "method_declaration":
        return this.#method(node);
      case "type_declaration":
        for (const spec of specsIn(node, "type_spec")) this.#type(spec);
        return;
      case "const_declaration":
      case "var_declaration":
        for (const spec of specsIn(
          node,
          node.type === "var_declaration" ? "var_spec" : "const_spec",
        )) {
          this.#variable(spec, node.type === "var_declaration" ? "variable" : "constant");
        }
        return;
      default:
    }
  }

  #offer(name: string, symbol: number, at: SyntaxNode): void {
    const node = this.#x.scopes.value(name);
    if (node !== undefined && this.#x.writer.code[node] === OP.symbol)
      this.#x.writer.code[node + 1] = symbol;
    if (/^\p{Lu}/u.test(name)) this.#x.export(name, this.#x.symbolNode(symbol), at);
    else this.#x.share(name, this.#x.symbolNode(symbol), at);
  }

  #function(node: SyntaxNode): void {
    const name = field(node, "name")?.text ?? "";
    const body = field(node, "body");
    const symbol = this.#x.declare(name, "function", node, headOf(node, body));
    this.#offer(name, symbol, node);
    this.#body(symbol, [field(node, "parameters")], field(node, "result"), body);
  }

  /** A name that is not declared here is one of the package's, unless every program knows it. */
  #named(name: string): number | undefined {
    const found = this.#x.scopes.value(name);
    if (found !== undefined || isPredeclared(name)) return found;
    const { writer } = this.#x;
    return writer.node2(OP.imported, writer.text("."), writer.text(name));
  }

  /**
   * A method stands in its type, where that is declared in the same file before it; otherwise the
   * package finds it under both names.
   */
  #method(node: SyntaxNode): void {
    const receiver = children(field(node, "receiver"))[0];
    const type =
      field(receiver ?? node, "type")
        ?.text.replace(/^\*/, "")
        .replace(/\[.*/s, "") ?? "";
    const name = field(node, "name")?.text ?? "";
    const body = field(node, "body");
    this.#x.inside(this.#types.get(type) ?? 0, () => {
      const symbol = this.#x.declare(name, "method", node, headOf(node, body));
      if (!this.#types.has(type)) {
        this.#x.share(`${type}.${name}`, this.#x.symbolNode(symbol), node);
      }
      this.#body(
        symbol,
        [field(node, "receiver"), field(node, "parameters")],
        field(node, "result"),
        body,
      );
    });
  }

  #body(
    symbol: number,
    lists: readonly (SyntaxNode | undefined)[],
    result: SyntaxNode | undefined,
    body: SyntaxNode | undefined,
  ): void {
    const x = this.#x;
    x.inside(symbol, () =>
      x.scoped(() => {
        for (const list of lists)
          for (const parameter of children(list)) this.#parameter(parameter);
        x.setType(symbol, x.func([], result ? this.#typeNode(result) : 0));
        if (body) this.#walk(body);
      }),
    );
  }

  #parameter(node: SyntaxNode): void {
    const type = field(node, "type");
    const held = type ? this.#typeNode(type) : 0;
    for (const name of children(node).filter(({ type: kind }) => kind === "identifier")) {
      this.#x.scopes.declareValue(name.text, this.#x.writer.node1(OP.local, held));
    }
  }

  #type(spec: SyntaxNode): void {
    const x = this.#x;
    const name = field(spec, "name")?.text ?? "";
    const type = field(spec, "type");
    const kind =
      type?.type === "struct_type"
        ? "struct"
        : type?.type === "interface_type"
          ? "interface"
          : "type";
    const symbol = x.declare(name, kind, spec, `type ${name} ${kind}`);
    this.#types.set(name, symbol);
    this.#offer(name, symbol, spec);
    x.inside(symbol, () => {
      for (const part of type ? membersOf(type) : []) this.#member(part);
    });
  }

  #member(node: SyntaxNode): void {
    const isMethod = node.type !== "field_declaration";
    const type = field(node, isMethod ? "result" : "type");
    const held = type ? this.#typeNode(type) : 0;
    for (const name of children(node).filter((part) => part.type === "field_identifier")) {
      const symbol = this.#x.declare(name.text, isMethod ? "method" : "property", node, node.text);
      this.#x.setType(symbol, isMethod ? this.#x.func([], held) : held);
    }
  }

  #variable(spec: SyntaxNode, kind: "variable" | "constant"): void {
    const type = field(spec, "type");
    const held = type ? this.#typeNode(type) : 0;
    const value = field(spec, "value");
    for (const name of children(spec).filter((part) => part.type === "identifier")) {
      const symbol = this.#x.declare(name.text, kind, spec, spec.text);
      const node = this.#x.symbolNode(symbol);
      this.#x.scopes.declareValue(name.text, node);
      this.#offer(name.text, symbol, spec);
      const found = value ? this.#x.deeper(() => this.#walk(value)) : 0;
      this.#x.setType(symbol, held === 0 ? found : held);
    }
  }

  #typeNode(node: SyntaxNode): number {
    const inner = node.type === "pointer_type" ? children(node)[0] : node;
    if (inner?.type === "slice_type") {
      const element = field(inner, "element");
      return element ? this.#x.writer.node1(OP.array, this.#typeNode(element)) : 0;
    }
    if (inner?.type === "qualified_type") {
      const owner = this.#x.scopes.value(field(inner, "package")?.text ?? "");
      return owner === undefined
        ? 0
        : this.#x.instance(this.#x.member(owner, field(inner, "name")?.text ?? ""));
    }
    const found = inner?.type === "type_identifier" ? this.#named(inner.text) : undefined;
    if (found === undefined || !inner) return 0;
    this.#x.site(found, inner, SITE_FLAG.typeOnly);
    return this.#x.instance(found);
  }

  /** Walks an expression or statement; gives the node of what it is, where that follows. */
  #walk(node: SyntaxNode, flags = 0): number {
    const x = this.#x;
    return x.deeper(() => {
      switch (node.type) {
        case "identifier": {
          const found = this.#named(node.text);
          if (found !== undefined && x.writer.code[found] !== OP.local) x.site(found, node, flags);
          return found ?? 0;
        }
        case "selector_expression": {
          const [object, name] = [field(node, "operand"), field(node, "field")];
          const found = object && name ? x.member(this.#walk(object), name.text) : 0;
          if (name) x.site(found, name, flags);
          return found;
        }
        case "call_expression":
          return this.#call(node);
        case "composite_literal":
          return this.#literal(node);
        case "unary_expression": {
          const operand = field(node, "operand");
          return operand ? this.#walk(operand) : 0;
        }
        case "short_var_declaration":
          this.#shortVariables(node);
          return 0;
        case "block":
          x.scoped(() => children(node).forEach((part) => this.#walk(part)));
          return 0;
        case "keyed_element":
          this.#pair(node);
          return 0;
        default:
          for (const part of children(node)) this.#walk(part);
          return 0;
      }
    });
  }

  #call(node: SyntaxNode): number {
    const callee = field(node, "function");
    const found = callee ? this.#walk(callee, SITE_FLAG.call) : 0;
    const given: GivenArgument[] = [];
    this.#routers.scoped(node, () => {
      for (const part of children(field(node, "arguments"))) {
        given.push({ node: this.#walk(part), part });
      }
    });
    goCall(this.#x, node, given, this.#imports, this.#routers);
    return this.#x.call(found);
  }

  /** `T{…}` is a T. */
  #literal(node: SyntaxNode): number {
    const [type, body] = [field(node, "type"), field(node, "body")];
    const found = type ? this.#typeNode(type) : 0;
    if (body) this.#walk(body);
    goCommand(this.#x, node, this.#imports);
    return found;
  }

  /** `name: value` in a struct names a field. */
  #pair(node: SyntaxNode): void {
    const literal = node.parent?.parent;
    const parts = children(node);
    for (const part of literal && isStruct(literal) ? parts.slice(1) : parts) this.#walk(part);
  }

  #shortVariables(node: SyntaxNode): void {
    const [names, values] = [children(field(node, "left")), children(field(node, "right"))];
    const held = values.map((value) => this.#walk(value));
    for (const [place, name] of names.entries()) {
      const value = names.length === held.length ? held[place]! : (held[0] ?? 0);
      const isFirst = names.length === held.length || place === 0;
      const variable = this.#x.writer.node1(OP.local, isFirst ? value : 0);
      this.#routers.hold(variable, values[place]);
      this.#x.scopes.declareValue(name.text, variable);
    }
  }
}

function specsIn(node: SyntaxNode, type: string): SyntaxNode[] {
  return children(node).flatMap((part) =>
    part.type === type ? [part] : part.type.endsWith("_list") ? specsIn(part, type) : [],
  );
}

function membersOf(type: SyntaxNode): SyntaxNode[] {
  const list = children(type).find((part) => part.type === "field_declaration_list") ?? type;
  return children(list).filter(
    ({ type: kind }) =>
      kind === "field_declaration" || kind === "method_elem" || kind === "method_spec",
  );
}
