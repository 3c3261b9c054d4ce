import type { SyntaxNode } from "../../languages/grammars.ts";
import { OP, SITE_FLAG } from "../facts/ops.ts";
import type { SymbolFacts } from "../facts/symbol-facts.ts";
import { djangoRoute, servedByFunction, testFile } from "../../entrypoints/python.ts";
import { annotation } from "./python-types.ts";
import { children, field, headOf, TreeWalk } from "./tree-walk.ts";

/** What the symbols of a Python file say of themselves and use. */
export function extractPython(root: SyntaxNode, path: string): SymbolFacts {
  const walk = new TreeWalk(path, root);
  const imported = new Set<string>();
  const python = new PythonWalk(walk, imported);
  python.block(children(root), true);
  testFile(walk, root);
  return walk.finish();
}

class PythonWalk {
  readonly #x: TreeWalk;
  readonly #imported: Set<string>;
  /** The prefixes of routers by the names of their variables. */
  readonly #prefixes = new Map<string, string>();

  constructor(x: TreeWalk, imported: Set<string>) {
    this.#x = x;
    this.#imported = imported;
  }

  /** Names are declared first: a function may use what stands below it. */
  block(statements: readonly SyntaxNode[], top: boolean): void {
    for (const node of statements) this.#hoist(node);
    for (const node of statements) this.#statement(node, top);
  }

  #hoist(node: SyntaxNode): void {
    const inner = node.type === "decorated_definition" ? field(node, "definition") : node;
    if (inner?.type === "function_definition" || inner?.type === "class_definition") {
      const name = field(inner, "name")?.text ?? "";
      this.#x.scopes.declareValue(name, this.#x.writer.node1(OP.symbol, -1));
    } else if (node.type === "import_statement") this.#import(node);
    else if (node.type === "import_from_statement") this.#importFrom(node);
  }

  #import(node: SyntaxNode): void {
    const { scopes, writer } = this.#x;
    for (const part of children(node)) {
      const module = (field(part, "name") ?? part).text;
      this.#imported.add(module.split(".")[0]!);
      const name = field(part, "alias")?.text ?? module;
      scopes.declareValue(name, writer.node1(OP.module, writer.text(module)));
    }
  }

  #importFrom(node: SyntaxNode): void {
    const { scopes, writer } = this.#x;
    const module = field(node, "module_name")?.text.replaceAll(/\s/g, "") ?? "";
    this.#imported.add(module.split(".")[0]!);
    for (const part of children(node).slice(1)) {
      if (part.type === "wildcard_import") {
        writer.tables.stars.push(writer.text(module));
        continue;
      }
      const name = (field(part, "name") ?? part).text;
      const local = field(part, "alias")?.text ?? name;
      const found = writer.node2(OP.imported, writer.text(module), writer.text(name));
      scopes.declareValue(local, found);
      if (this.#x.symbol === 0) this.#x.export(local, found, node);
    }
  }

  #statement(node: SyntaxNode, top: boolean): void {
    switch (node.type) {
      case "decorated_definition":
        return this.#decorated(node, top);
      case "function_definition":
        this.#function(node, [], top);
        return;
      case "class_definition":
        return this.#class(node, top);
      case "expression_statement":
        for (const part of children(node)) {
          if (part.type === "assignment") this.#assignment(part, top);
          else this.expression(part);
        }
        return;
      case "import_statement":
      case "import_from_statement":
        return;
      default:
        this.#compound(node);
    }
  }

  /** `if`, `for`, `try` and the like: their blocks share the scope around them. */
  #compound(node: SyntaxNode): void {
    for (const part of children(node)) {
      if (part.type === "block") this.block(children(part), false);
      else if (part.type.endsWith("_clause")) this.#compound(part);
      else this.expression(part);
    }
  }

  #decorated(node: SyntaxNode, top: boolean): void {
    const decorators = children(node).filter(({ type }) => type === "decorator");
    const inner = field(node, "definition");
    for (const decorator of decorators)
      for (const part of children(decorator)) this.expression(part);
    if (inner?.type === "class_definition") this.#class(inner, top);
    else if (inner) this.#function(inner, decorators, top);
  }

  #claim(name: string, symbol: number, at: SyntaxNode, top: boolean): void {
    const node = this.#x.scopes.value(name);
    if (node !== undefined && this.#x.writer.code[node] === OP.symbol)
      this.#x.writer.code[node + 1] = symbol;
    if (top) this.#x.export(name, this.#x.symbolNode(symbol), at);
  }

  #function(node: SyntaxNode, decorators: readonly SyntaxNode[], top: boolean): void {
    const x = this.#x;
    const name = field(node, "name")?.text ?? "";
    const body = field(node, "body");
    const isMethod = x.self !== 0;
    const kind = !isMethod ? "function" : name === "__init__" ? "constructor" : "method";
    const symbol = x.declare(name, kind, node, headOf(node, body));
    if (!isMethod) this.#claim(name, symbol, node, top);
    servedByFunction(x, decorators, name, x.symbolNode(symbol), {
      imported: this.#imported,
      prefixes: this.#prefixes,
    });
    const { self } = x;
    x.inside(symbol, () =>
      x.scoped(() => {
        const parameters = this.#parameters(children(field(node, "parameters")), isMethod);
        const result = annotation(x, field(node, "return_type"));
        const isProperty = decorators.some(({ text }) =>
          /^@(?:functools\.)?(?:cached_)?property\b/.test(text),
        );
        x.setType(symbol, isProperty ? result : x.func(parameters, result));
        x.self = 0;
        if (body) this.block(children(body), false);
      }),
    );
    x.self = self;
  }

  /** The first parameter of a method is the value that it is called on. */
  #parameters(list: readonly SyntaxNode[], isMethod: boolean): number[] {
    return list.flatMap((node, place) => {
      const name = (field(node, "name") ?? children(node)[0] ?? node).text;
      const declared = annotation(this.#x, field(node, "type"));
      const isSelf = isMethod && place === 0;
      const local = this.#x.writer.node1(OP.local, isSelf ? this.#x.self : declared);
      this.#x.scopes.declareValue(node.type === "identifier" ? node.text : name, local);
      return isSelf ? [] : [declared];
    });
  }

  #class(node: SyntaxNode, top: boolean): void {
    const x = this.#x;
    const name = field(node, "name")?.text ?? "";
    const body = field(node, "body");
    const symbol = x.declare(name, "class", node, headOf(node, body));
    this.#claim(name, symbol, node, top);
    const { self } = x;
    x.inside(symbol, () => {
      const bases = children(field(node, "superclasses")).filter(
        ({ type }) => type !== "keyword_argument",
      );
      x.setHeritage(
        symbol,
        bases.map((base) => this.expression(base, SITE_FLAG.inherit)).filter((base) => base !== 0),
      );
      x.self = x.writer.node2(OP.self, symbol, 0);
      x.scoped(() => {
        for (const part of children(body)) this.#member(part);
      });
    });
    x.self = self;
  }

  #member(node: SyntaxNode): void {
    const [inner] = node.type === "expression_statement" ? children(node) : [];
    const left = inner?.type === "assignment" ? field(inner, "left") : undefined;
    if (!inner || left?.type !== "identifier") return this.#statement(node, false);
    const symbol = this.#x.declare(left.text, "property", inner, inner.text);
    const declared = annotation(this.#x, field(inner, "type"));
    const value = field(inner, "right");
    const held = value ? this.expression(value) : 0;
    this.#x.setType(symbol, declared === 0 ? held : declared);
  }

  #assignment(node: SyntaxNode, top: boolean): void {
    const x = this.#x;
    const left = field(node, "left");
    const right = field(node, "right");
    const declared = annotation(x, field(node, "type"));
    const value = right ? (right.type === "assignment" ? 0 : this.expression(right)) : 0;
    if (left?.type === "attribute") this.expression(left);
    if (left?.type !== "identifier") return;
    const held = declared === 0 ? value : declared;
    this.#notePrefix(left.text, right);
    if (!top) return x.scopes.declareValue(left.text, x.writer.node1(OP.local, held));
    const symbol = x.declare(
      left.text,
      /^[A-Z_0-9]+$/.test(left.text) ? "constant" : "variable",
      node,
      node.text,
    );
    x.setType(symbol, held);
    const found = x.symbolNode(symbol);
    x.scopes.declareValue(left.text, found);
    x.export(left.text, found, node);
  }

  #notePrefix(name: string, value: SyntaxNode | undefined): void {
    const prefix = /\b(?:url_)?prefix\s*=\s*["']([^"']*)["']/.exec(
      value?.type === "call" ? value.text : "",
    )?.[1];
    if (prefix !== undefined) this.#prefixes.set(name, prefix);
  }

  expression(node: SyntaxNode, flags = 0): number {
    return this.#x.deeper(() => this.#expression(node, flags));
  }

  #expression(node: SyntaxNode, flags: number): number {
    const x = this.#x;
    switch (node.type) {
      case "identifier":
        return this.#name(node.text, node, flags);
      case "attribute": {
        const known = x.scopes.value(node.text);
        if (known !== undefined) return known;
        const name = field(node, "attribute");
        const object = field(node, "object");
        const found = object && name ? x.member(this.expression(object), name.text) : 0;
        if (name) x.site(found, name, flags);
        return found;
      }
      case "call": {
        const callee = field(node, "function");
        const found = callee ? this.expression(callee, SITE_FLAG.call) : 0;
        for (const part of children(field(node, "arguments")))
          this.expression(field(part, "value") ?? part);
        djangoRoute(x, node, (part) => this.expression(part));
        return x.call(found);
      }
      case "await":
      case "parenthesized_expression": {
        const [inner] = children(node);
        return inner ? this.expression(inner, flags) : 0;
      }
      case "block":
        this.block(children(node), false);
        return 0;
      default:
        for (const part of children(node)) this.expression(part);
        return 0;
    }
  }

  #name(name: string, at: SyntaxNode, flags: number): number {
    const { scopes, writer } = this.#x;
    const found = scopes.value(name);
    if (found === undefined) return 0;
    if (writer.code[found] !== OP.local) this.#x.site(found, at, flags);
    return found;
  }
}
