import { goMain } from "../../entrypoints/go.ts";
import { ownPackageName } from "../../languages/go-names.ts";
import type { SyntaxNode } from "../../languages/grammars.ts";
import { OP, SITE_FLAG } from "../facts/ops.ts";
import type { FileSymbolData } from "../facts/symbol-facts.ts";
import { GoBody } from "./go-body.ts";
import { GoScope, specsIn } from "./go-scope.ts";
import { fieldNames, GoTypes, typeMembers, parameterNames } from "./go-types.ts";
import { children, field, declarationText, TreeWalk } from "./tree-walk.ts";

/** Extracts the symbols of a Go file and their uses. */
export function extractGo(root: SyntaxNode, path: string): FileSymbolData {
  const walk = new TreeWalk(path, root);
  new GoWalk(walk, ownPackageName(root)).file(root);
  return walk.finish();
}

const TYPE_SPECS = ["type_spec", "type_alias"];
const VALUE_SPECS = ["var_spec", "const_spec"];
const KINDS: Readonly<Record<string, "struct" | "interface">> = {
  struct_type: "struct",
  interface_type: "interface",
};

class GoWalk {
  readonly #x: TreeWalk;
  readonly #scope: GoScope;
  readonly #types: GoTypes;
  readonly #body: GoBody;
  readonly #declared = new Map<string, number>();

  constructor(x: TreeWalk, ownPackage: string) {
    this.#x = x;
    this.#scope = new GoScope(x, ownPackage);
    this.#types = new GoTypes(this.#scope);
    this.#body = new GoBody(this.#scope, this.#types);
  }

  file(root: SyntaxNode): void {
    const declarations = children(root);
    for (const node of declarations) this.#hoist(node);
    for (const node of declarations) this.#declaration(node);
    goMain(this.#x, root);
  }

  /** Declares all names first, because they can be used anywhere in the file. */
  #hoist(node: SyntaxNode): void {
    for (const spec of node.type === "import_declaration" ? specsIn(node, ["import_spec"]) : []) {
      this.#scope.import(spec);
    }
    const names =
      node.type === "function_declaration"
        ? [field(node, "name")]
        : node.type.endsWith("_declaration")
          ? specsIn(node, [...TYPE_SPECS, ...VALUE_SPECS]).flatMap(specNames)
          : [];
    for (const name of names) {
      const pending = this.#x.writer.node1(OP.symbol, -1);
      if (name && name.text !== "_") this.#x.scopes.declareValue(name.text, pending);
    }
  }

  #declaration(node: SyntaxNode): void {
    switch (node.type) {
      case "function_declaration":
        return this.#function(node);
      case "method_declaration":
        return this.#method(node);
      case "type_declaration":
        for (const spec of specsIn(node, TYPE_SPECS)) this.#type(spec);
        return;
      case "const_declaration":
        for (const spec of specsIn(node, VALUE_SPECS)) this.#values(spec, "constant");
        return;
      case "var_declaration":
        for (const spec of specsIn(node, VALUE_SPECS)) this.#values(spec, "variable");
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
    const symbol = this.#x.declare(name, "function", node, declarationText(node, body));
    // `init` runs at the start and cannot be called, so it is not exported.
    if (name !== "init") this.#offer(name, symbol, node);
    this.#walkFunction(symbol, node, body);
  }

  /**
   * A method is inside its type if the type is declared earlier in the same file. Otherwise the
   * package finds it under both names.
   */
  #method(node: SyntaxNode): void {
    const type = receiverType(node);
    const name = field(node, "name")?.text ?? "";
    const body = field(node, "body");
    this.#x.inside(this.#declared.get(type) ?? 0, () => {
      const symbol = this.#x.declare(name, "method", node, declarationText(node, body));
      if (!this.#declared.has(type)) {
        this.#x.share(`${type}.${name}`, this.#x.symbolNode(symbol), node);
      }
      this.#walkFunction(symbol, node, body);
    });
  }

  #walkFunction(symbol: number, node: SyntaxNode, body: SyntaxNode | undefined): void {
    const x = this.#x;
    x.inside(symbol, () =>
      x.scoped(() => {
        for (const name of receiverTypeParameters(node)) this.#scope.declare(name, 0);
        x.setType(symbol, this.#body.func(node));
        this.#body.walk(body);
      }),
    );
  }

  #type(spec: SyntaxNode): void {
    const x = this.#x;
    const name = field(spec, "name")?.text ?? "";
    const type = field(spec, "type");
    const kind = KINDS[type?.type ?? ""] ?? "type";
    const symbol = x.declare(name, kind, spec, goTypeText(spec, kind));
    this.#declared.set(name, symbol);
    this.#offer(name, symbol, spec);
    x.inside(symbol, () =>
      x.scoped(() => {
        for (const part of children(field(spec, "type_parameters"))) this.#typeParameter(part);
        if (kind === "type") this.#named(spec, symbol);
        else this.#members(type, symbol);
      }),
    );
  }

  #typeParameter(part: SyntaxNode): void {
    for (const name of parameterNames(part)) this.#scope.declare(name.text, 0);
    this.#types.node(field(part, "type"));
  }

  /**
   * An alias is its target. A defined type has its own methods and otherwise behaves like its base.
   */
  #named(spec: SyntaxNode, symbol: number): void {
    const held = this.#types.node(field(spec, "type"));
    this.#x.setType(symbol, held);
    if (spec.type === "type_spec") this.#x.inherit(symbol, [held]);
  }

  #members(type: SyntaxNode | undefined, symbol: number): void {
    const parents: number[] = [];
    for (const part of type ? typeMembers(type) : []) {
      const isMethod = part.type === "method_elem" || part.type === "method_spec";
      if (isMethod) this.#interfaceMethod(part);
      else if (fieldNames(part).length > 0) this.#fields(part);
      else parents.push(this.#embedded(part));
    }
    this.#x.inherit(symbol, parents);
  }

  #interfaceMethod(part: SyntaxNode): void {
    for (const name of fieldNames(part)) {
      const symbol = this.#x.declare(name.text, "method", part, part.text);
      const types = this.#types.signature(field(part, "parameters"), field(part, "result"));
      this.#x.setType(symbol, types);
    }
  }

  #fields(part: SyntaxNode): void {
    const held = this.#types.node(field(part, "type"));
    for (const name of fieldNames(part)) {
      this.#x.setType(this.#x.declare(name.text, "property", part, part.text), held);
    }
  }

  /** An embedded type adds its members, and is a field with the name of the type. */
  #embedded(part: SyntaxNode): number {
    const type = field(part, "type") ?? part;
    const held = this.#types.node(type, SITE_FLAG.inherit);
    const name = /(\w+)\s*(?:\[.*)?$/s.exec(type.text)?.[1];
    if (part.type === "field_declaration" && name !== undefined) {
      this.#x.setType(this.#x.declare(name, "property", part, part.text), held);
    }
    return held;
  }

  #values(spec: SyntaxNode, kind: "variable" | "constant"): void {
    const type = this.#types.node(field(spec, "type"));
    const values = children(field(spec, "value"));
    const symbols = parameterNames(spec).map((name) => {
      const symbol = this.#x.declare(name.text, kind, spec, spec.text);
      if (name.text !== "_") this.#offer(name.text, symbol, spec);
      return symbol;
    });
    const held = this.#x.insideFirst(symbols, () => values.map((value) => this.#body.walk(value)));
    for (const [place, symbol] of symbols.entries()) {
      const own = held.length === symbols.length ? held[place]! : this.#part(held[0] ?? 0, place);
      this.#x.setType(symbol, type === 0 ? own : type);
    }
  }

  #part(value: number, place: number): number {
    return value === 0 ? 0 : this.#x.writer.node2(OP.element, value, place);
  }
}

function specNames(spec: SyntaxNode): SyntaxNode[] {
  return spec.childrenForFieldName("name").flatMap((name) => name ?? []);
}

function findReceiver(node: SyntaxNode): SyntaxNode | undefined {
  const receiver = children(field(node, "receiver"))[0];
  return receiver && field(receiver, "type");
}

function receiverType(node: SyntaxNode): string {
  return (
    findReceiver(node)
      ?.text.replace(/^[\s(*]+/, "")
      .replace(/[[\s)].*/s, "") ?? ""
  );
}

/** `func (s *Set[T])` names the type parameters of its type again. */
function receiverTypeParameters(node: SyntaxNode): string[] {
  const inner = /\[(.*)\]/s.exec(findReceiver(node)?.text ?? "")?.[1] ?? "";
  return inner.split(",").flatMap((name) => name.trim() || []);
}

/** `type Set[T comparable] struct`, `type ID = string`: what a type is, without its members. */
function goTypeText(spec: SyntaxNode, kind: string): string {
  const name = `${field(spec, "name")?.text ?? ""}${field(spec, "type_parameters")?.text ?? ""}`;
  const text = field(spec, "type")?.text ?? kind;
  const what = kind !== "type" || text.includes("\n") ? kind : text;
  return `type ${name} ${spec.type === "type_alias" ? "= " : ""}${what}`;
}
