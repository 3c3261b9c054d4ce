import { SYMBOL_KINDS } from "../../../graph/index.ts";
import { servedByFunction, testFile } from "../../entrypoints/python.ts";
import type { SyntaxNode } from "../../languages/grammars.ts";
import { columnOf, lineOf } from "../../languages/grammars.ts";
import { FUNC_FLAG, OP, SITE_FLAG, SYMBOL_FLAG } from "../facts/ops.ts";
import { SYMBOL } from "../facts/symbol-facts.ts";
import type { FileSymbolData } from "../facts/symbol-facts.ts";
import { PythonBody } from "./python-body.ts";
import type { Declarations, Level } from "./python-body.ts";
import { isTransparent } from "./python-decorators.ts";
import { assignedNames, offeredNames, starredName } from "./python-names.ts";
import { PythonTypes } from "./python-types.ts";
import { children, field, declarationText, TreeWalk } from "./tree-walk.ts";

/** Extracts the symbols of a Python file and their uses. */
export function extractPython(root: SyntaxNode, path: string): FileSymbolData {
  const walk = new TreeWalk(path, root);
  new PythonWalk(walk).file(root);
  testFile(walk, root);
  return walk.finish();
}

const PROPERTY_KIND = SYMBOL_KINDS.indexOf("property");
const PROPERTY = /^@(?:functools\.)?(?:cached_)?property\b|\.(?:setter|getter|deleter)$/;

const IMPORTED: readonly number[] = [OP.module, OP.imported, OP.union];
const ENUM = /(?:^|\.)(?:Int|Str)?(?:Enum|Flag)$/;
const DECLARED: readonly number[] = [OP.symbol];

class PythonWalk implements Declarations {
  readonly #x: TreeWalk;
  readonly #types: PythonTypes;
  readonly #body: PythonBody;
  readonly #imported = new Set<string>();
  /** The prefixes of routers by variable name. */
  readonly #prefixes = new Map<string, string>();
  /** Declarations of the module and each class. A repeated name is the same symbol. */
  readonly #declared = new Map<number, Map<string, number>>();
  /** The results of each function. A function may be declared several times, as with overloads. */
  readonly #results = new Map<number, number[]>();
  /** Variables with a declared type, which assignments do not change. */
  readonly #annotated = new Set<number>();
  /** Values that functions assign to variables of the module. */
  readonly #globals: [variable: number, held: number][] = [];
  /** Symbols that the module declares in a branch. */
  readonly #conditional = new Set<number>();
  /** The node of a member of the current class, if it is an enum. */
  #enumMember = 0;

  constructor(x: TreeWalk) {
    this.#x = x;
    this.#types = new PythonTypes(x, (node) => this.#body.expression(node));
    this.#body = new PythonBody(x, this.#types, this);
  }

  file(root: SyntaxNode): void {
    const statements = children(root);
    for (const name of assignedNames(statements)) {
      this.#x.scopes.declareValue(name, this.#x.writer.node1(OP.symbol, -1));
    }
    this.#body.block(statements, "module");
    this.#useOffered(statements);
    for (const [variable, held] of this.#globals) {
      const symbol = this.#x.writer.code[variable + 1]!;
      if (symbol >= 0) this.#addType(symbol, held);
    }
    this.#types.comments(root.text);
  }

  /** Declares names first, because a function may use names that are declared below it. */
  hoist(node: SyntaxNode, level: Level): void {
    const inner = node.type === "decorated_definition" ? field(node, "definition") : node;
    if (inner?.type === "function_definition" || inner?.type === "class_definition") {
      if (level === "class") return;
      const name = field(inner, "name")?.text ?? "";
      if (this.#ownOp(name) === OP.symbol) return;
      this.#noteTwice(name, IMPORTED);
      this.#x.scopes.declareValue(name, this.#x.writer.node1(OP.symbol, -1));
    } else if (node.type === "import_statement") this.#import(node);
    else if (node.type === "import_from_statement") this.#importFrom(node);
  }

  /** The kind of declaration that a name has in the innermost scope. */
  #ownOp(name: string): number | undefined {
    const known = this.#x.ownValue(name);
    return known === undefined ? undefined : this.#x.writer.code[known];
  }

  /**
   * Records a name with two origins, as with `ssl = None` after a failed import. A use may mean
   * either.
   */
  #noteTwice(name: string, others: readonly number[]): void {
    const op = this.#ownOp(name);
    if (op !== undefined && others.includes(op)) this.#x.writer.unresolved(name, "value");
  }

  /** Two imports bind the same name, so the name may mean either. */
  #either(name: string, found: number): number {
    const { writer } = this.#x;
    const known = this.#isImported(name) ? this.#x.ownValue(name)! : 0;
    if (known === 0 || isSameNode(writer.code, known, found)) return found;
    writer.unresolved(name, "value");
    return writer.many(OP.union, [found, known]);
  }

  #isImported(name: string): boolean {
    return IMPORTED.includes(this.#ownOp(name) ?? -1);
  }

  #import(node: SyntaxNode): void {
    const { scopes, writer } = this.#x;
    for (const part of children(node)) {
      const module = (field(part, "name") ?? part).text;
      const alias = field(part, "alias")?.text;
      const [first = ""] = module.split(".");
      this.#imported.add(first);
      const found = writer.node1(OP.module, writer.text(module));
      this.#noteTwice(alias ?? module, DECLARED);
      scopes.declareValue(alias ?? module, this.#either(alias ?? module, found));
      if (alias === undefined && first !== module) this.#package(first);
    }
  }

  /** `import a.b` also declares `a`. */
  #package(name: string): void {
    const { scopes, writer } = this.#x;
    if (scopes.value(name) !== undefined) return;
    scopes.declareValue(name, writer.node1(OP.module, writer.text(name)));
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
      const named = field(part, "name") ?? part;
      const name = named.text;
      const local = field(part, "alias")?.text ?? name;
      const found = writer.node2(OP.imported, writer.text(module), writer.text(name));
      this.#noteTwice(local, DECLARED);
      scopes.declareValue(local, this.#either(local, found));
      this.#x.site(found, named, SITE_FLAG.import);
      if (this.#x.symbol === 0) this.#x.export(local, found, node);
    }
  }

  decorated(node: SyntaxNode, level: Level): void {
    const decorators = children(node).filter(({ type }) => type === "decorator");
    const inner = field(node, "definition");
    const replacing = decorators.flatMap((decorator) => {
      const value = this.#body.expression(children(decorator)[0]);
      return isTransparent(this.#x, decorator) ? [] : [value];
    });
    if (inner?.type === "class_definition") this.#class(inner, level, replacing);
    else if (inner) this.#function(inner, decorators, level, replacing);
  }

  /** The symbol of a name. A second declaration extends the first. */
  #symbol(name: string, level: Level, make: () => number, node: SyntaxNode): number {
    if (level === "function") return make();
    const names = this.#declared.get(this.#x.symbol) ?? new Map<string, number>();
    this.#declared.set(this.#x.symbol, names);
    const known = names.get(name);
    if (known !== undefined) {
      this.#x.extend(known, node);
      return known;
    }
    const symbol = make();
    names.set(name, symbol);
    return symbol;
  }

  member(name: string): number | undefined {
    const symbol = this.#declared.get(this.#x.symbol)?.get(name);
    return symbol === undefined ? undefined : this.#x.symbolNode(symbol);
  }

  #claim(name: string, symbol: number, at: SyntaxNode, level: Level): void {
    // Methods do not see the names of their class.
    if (level === "class") return;
    if (level === "module" && isInBranch(at)) this.#conditional.add(symbol);
    else this.#conditional.delete(symbol);
    const { scopes, writer } = this.#x;
    const node = scopes.value(name);
    if (node !== undefined && writer.code[node] === OP.symbol) writer.code[node + 1] = symbol;
    else scopes.declareValue(name, this.#x.symbolNode(symbol));
    if (level === "module") this.#x.export(name, this.#x.symbolNode(symbol), at);
  }

  function(node: SyntaxNode, level: Level): void {
    this.#function(node, [], level, []);
  }

  /** `replacing` are the decorators that may return something else than the function. */
  #function(
    node: SyntaxNode,
    decorators: readonly SyntaxNode[],
    level: Level,
    replacing: readonly number[],
  ): void {
    const x = this.#x;
    const name = field(node, "name")?.text ?? "";
    const body = field(node, "body");
    const kind = level !== "class" ? "function" : name === "__init__" ? "constructor" : "method";
    const make = (): number => x.declare(name, kind, node, declarationText(node, body));
    const symbol = this.#symbol(name, level, make, node);
    // Default values are evaluated in the outer scope, before the name is declared.
    this.#body.beforeDeclaring(name, () => {
      x.inside(symbol, () => {
        for (const part of children(field(node, "parameters"))) this.#body.presetOf(part);
      });
    });
    this.#claim(name, symbol, node, level);
    servedByFunction(x, decorators, name, x.symbolNode(symbol), {
      imported: this.#imported,
      prefixes: this.#prefixes,
    });
    const isProperty = decorators.some(({ text }) => PROPERTY.test(text));
    const way = decorators
      .map(({ text }) => text)
      .find((text) => /^@(?:static|class)method$/.test(text));
    x.inside(symbol, () => this.#functionBody(node, symbol, { level, isProperty, replacing, way }));
  }

  #functionBody(node: SyntaxNode, symbol: number, { level, way, ...kind }: FunctionWay): void {
    const x = this.#x;
    const outer = x.self;
    const self = level !== "class" || way === "@staticmethod" ? 0 : this.#selfNode(way);
    const list = children(field(node, "parameters"));
    this.#body.capturing(() => {
      this.#types.parameters(field(node, "type_parameters"));
      const parameters = this.#body.parameters(list, self);
      const declared = field(node, "return_type");
      const held = this.#types.node(declared);
      x.self = 0;
      const inferred = this.#body.functionBody(field(node, "body"), level === "class" ? outer : 0);
      const isSelf = self !== 0 && declared !== undefined && isSelfType(list[0], declared);
      const result = isSelf ? self : declared ? held : inferred;
      const isGuard = this.#types.isGuard(declared);
      this.#setResult(symbol, result, parameters, { ...kind, level, isGuard });
    });
    x.self = outer;
  }

  /** The result is that of any declaration. A decorator may have replaced the function. */
  #setResult(
    symbol: number,
    result: number,
    parameters: readonly number[],
    { isProperty, replacing, level, isGuard }: FunctionResult,
  ): void {
    const { writer } = this.#x;
    const known = this.#results.get(symbol);
    // The type of a property comes from its getter; its setter returns nothing.
    if (known && isProperty) return;
    const results = [...(known ?? []), result];
    this.#results.set(symbol, results);
    const found = isProperty
      ? result
      : this.#x.func(known ? [] : parameters, writer.oneOf(results), isGuard ? FUNC_FLAG.guard : 0);
    // A method is read through its class, so its decorator may return a descriptor. The result is
    // unknown then.
    const made = level === "class" ? [] : replacing.map((decorator) => this.#x.call(decorator));
    this.#x.setType(symbol, replacing.length > 0 ? writer.oneOf([found, 0, ...made]) : found);
  }

  /** The first parameter of a method: the instance, or the class. */
  #selfNode(way: string | undefined): number {
    const { writer, self } = this.#x;
    if (way !== "@classmethod" || self === 0) return self;
    return writer.node2(OP.self, writer.code[self + 1]!, 1);
  }

  class(node: SyntaxNode, level: Level): void {
    this.#class(node, level, []);
  }

  #class(node: SyntaxNode, level: Level, replacing: readonly number[]): void {
    const x = this.#x;
    const name = field(node, "name")?.text ?? "";
    const body = field(node, "body");
    const make = (): number => x.declare(name, "class", node, declarationText(node, body));
    const symbol = this.#symbol(name, level, make, node);
    x.mark(symbol, SYMBOL_FLAG.oneSpace);
    const made = x.writer.union(replacing.map((decorator) => x.call(decorator)));
    if (made !== 0) x.setType(symbol, made);
    this.#heritage(node, symbol, name);
    this.#claim(name, symbol, node, level);
    const { self } = x;
    const outer = this.#enumMember;
    const isEnum = children(field(node, "superclasses")).some(({ text }) => ENUM.test(text));
    this.#enumMember = isEnum ? x.instance(x.symbolNode(symbol)) : 0;
    x.inside(symbol, () =>
      x.scoped(() => {
        this.#types.parameters(field(node, "type_parameters"));
        x.self = x.writer.node2(OP.self, symbol, 0);
        x.scoped(() => this.#body.block(children(body), "class"));
      }),
    );
    x.self = self;
    this.#enumMember = outer;
  }

  #heritage(node: SyntaxNode, symbol: number, name: string): void {
    const x = this.#x;
    const bases: number[] = [];
    const walk = (): void => {
      this.#types.parameters(field(node, "type_parameters"));
      for (const part of children(field(node, "superclasses"))) {
        if (part.type === "keyword_argument") this.#body.expression(part);
        else bases.push(this.#body.expression(part, SITE_FLAG.inherit));
      }
    };
    this.#body.beforeDeclaring(name, () => x.inside(symbol, () => x.scoped(walk)));
    // Unknown bases count too, because they may have members.
    if (bases.length > 0) x.setHeritage(symbol, bases);
  }

  /** Declares a variable of a module or class. */
  variable(name: SyntaxNode, at: SyntaxNode, held: number, level: "module" | "class"): void {
    const x = this.#x;
    const isConstant = /^[A-Z_0-9]+$/.test(name.text);
    const kind = level === "class" ? "property" : isConstant ? "constant" : "variable";
    const make = (): number => x.declare(name.text, kind, at, at.text);
    if (level === "module") this.#noteTwice(name.text, IMPORTED);
    // The name keeps its import as the meaning, because a failed import is the exception.
    if (level === "module" && this.#isImported(name.text) && isNone(x, held)) {
      return x.site(x.scopes.value(name.text) ?? 0, name, 0);
    }
    const isAgain = this.#declared.get(x.symbol)?.has(name.text) === true;
    const symbol = this.#symbol(name.text, level, make, at);
    // Recorded as a use, because a rename has to change it too.
    if (isAgain) x.site(x.symbolNode(symbol), name, 0);
    const value = level === "class" && this.#enumMember !== 0 ? this.#enumMember : held;
    const isAnnotated = field(at, "type") !== undefined;
    if (!isAgain || isAnnotated) x.setType(symbol, value);
    else this.#addType(symbol, value);
    if (isAnnotated) this.#annotated.add(symbol);
    this.#claim(name.text, symbol, at, level);
  }

  /** Adds a value that a variable may have. */
  #addType(symbol: number, held: number): void {
    const { writer } = this.#x;
    if (this.#annotated.has(symbol)) return;
    const known = writer.get("symbols", symbol, SYMBOL.type);
    this.#x.setType(symbol, writer.oneOf([known, held]));
  }

  isConditional(symbol: number): boolean {
    return this.#conditional.has(symbol);
  }

  global(variable: number, held: number): void {
    if (this.#x.writer.code[variable] === OP.symbol) this.#globals.push([variable, held]);
  }

  /** `self.name = value` declares a property of the class, unless it has a function of the name. */
  property(name: SyntaxNode, at: SyntaxNode, self: number, held: number): void {
    const x = this.#x;
    const owner = x.writer.code[self + 1]!;
    const names = this.#declared.get(owner) ?? new Map<string, number>();
    this.#declared.set(owner, names);
    const known = names.get(name.text);
    const isAnnotated = field(at, "type") !== undefined;
    if (known !== undefined) {
      const isProperty = x.writer.get("symbols", known, SYMBOL.kind) === PROPERTY_KIND;
      // A setter, or a method that is replaced, is declared elsewhere, so this is a use of it.
      if (!isProperty) x.site(x.symbolNode(known), name, 0);
      else if (isAnnotated) x.setType(known, held);
      else this.#addType(known, held);
      if (isAnnotated) this.#annotated.add(known);
      return;
    }
    x.inside(owner, () => {
      const symbol = x.declare(name.text, "property", at, at.text);
      names.set(name.text, symbol);
      x.setType(symbol, held);
      if (isAnnotated) this.#annotated.add(symbol);
    });
  }

  /** `__all__ = ["name"]` uses the listed names. They may be declared below it. */
  #useOffered(statements: readonly SyntaxNode[]): void {
    const { scopes, writer } = this.#x;
    for (const content of offeredNames(statements)) {
      const found = scopes.value(content.text) ?? starredName(writer, content.text);
      if (found === undefined) writer.unresolved(content.text, "value");
      else this.#x.siteAt(found, lineOf(content), columnOf(content), SITE_FLAG.import);
    }
  }

  routerPrefix(name: string, value: SyntaxNode | undefined): void {
    const prefix = /\b(?:url_)?prefix\s*=\s*["']([^"']*)["']/.exec(
      value?.type === "call" ? value.text : "",
    )?.[1];
    if (prefix !== undefined) this.#prefixes.set(name, prefix);
  }
}

/** Whether a declaration of the module is in a branch, a loop or another block. */
function isInBranch(at: SyntaxNode): boolean {
  let node = at.parent;
  while (node && /^(?:decorated_definition|expression_statement|assignment)$/.test(node.type)) {
    node = node.parent;
  }
  return node !== null && node.type !== "module";
}

function isNone({ writer }: TreeWalk, node: number): boolean {
  return node !== 0 && writer.code[node] === OP.literal && writer.code[node + 1] === 3;
}

/** Whether a method returns the type of its instance: `def open(self: T) -> T`. */
function isSelfType(first: SyntaxNode | undefined, result: SyntaxNode): boolean {
  const own = first && field(first, "type");
  return (
    own?.text === result.text || /^(?:[\w.]+\.)?Self$/.test(result.text.replaceAll(/["']/g, ""))
  );
}

/** Whether two imports are of the same name of the same module. */
function isSameNode(code: readonly number[], a: number, b: number): boolean {
  if (code[a] !== code[b] || code[a + 1] !== code[b + 1]) return false;
  return code[a] === OP.module || code[a + 2] === code[b + 2];
}

interface FunctionWay {
  readonly level: Level;
  readonly isProperty: boolean;
  /** The decorators that may return something else than the function. */
  readonly replacing: readonly number[];
  /** The kind of method: `@staticmethod` or `@classmethod`. */
  readonly way: string | undefined;
}

interface FunctionResult extends Omit<FunctionWay, "way"> {
  /** Whether the function tests the type of its argument. */
  readonly isGuard: boolean;
}
