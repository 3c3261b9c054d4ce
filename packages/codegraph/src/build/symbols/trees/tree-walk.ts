import { SYMBOL_KINDS, ENTRYPOINT_KINDS } from "../../../graph/index.ts";
import type { EntrypointKind, SymbolKind } from "../../../graph/index.ts";
import { columnOf, lineOf, present } from "../../languages/grammars.ts";
import type { SyntaxNode } from "../../languages/grammars.ts";
import { oneLine } from "../extract/detail.ts";
import { Scopes } from "../extract/scopes.ts";
import { getSurface } from "../extract/surface.ts";
import { FactsWriter } from "../facts/facts-writer.ts";
import { addWords } from "../facts/words.ts";
import { OP, SITE_FLAG, SYMBOL_FLAG } from "../facts/ops.ts";
import { SYMBOL } from "../facts/symbol-facts.ts";
import type { FileSymbolData } from "../facts/symbol-facts.ts";

const MAX_DEPTH = 400;
const NO_ROUTER = -1;

/** Walks a tree-sitter tree and records the same kind of facts as for JavaScript. */
export class TreeWalk {
  readonly path: string;
  readonly writer = new FactsWriter();
  readonly scopes = new Scopes();
  symbol = 0;
  /** The nodes of the instance of a method, and of its parent class. */
  self = 0;
  readonly #root: SyntaxNode;
  #isCut = false;
  #depth = 0;
  /** The start of the innermost scope. */
  #mark = 0;

  constructor(path: string, root: SyntaxNode) {
    this.path = path;
    this.#root = root;
    this.declare(path.slice(path.lastIndexOf("/") + 1), "module", root, "");
  }

  /** Adds a symbol inside the current one. `head` is its declaration without the body. */
  declare(name: string, kind: SymbolKind, node: SyntaxNode, head: string): number {
    const { writer } = this;
    const symbol = writer.count("symbols");
    const lines = node.text.split("\n");
    const line = lineOf(node);
    const last = lines.at(-1)?.length ?? 0;
    const endColumn = lines.length === 1 ? columnOf(node) + last : last + 1;
    const parent = symbol === 0 ? -1 : this.symbol;
    const kindNumber = SYMBOL_KINDS.indexOf(kind);
    const detail = writer.text(oneLine(head));
    writer.tables.symbols.push(writer.text(name), kindNumber, parent, 0, line, columnOf(node));
    writer.tables.symbols.push(line + lines.length - 1, endColumn, detail, 0, 0, 0);
    return symbol;
  }

  inside(symbol: number, walk: () => void): void {
    const outer = this.symbol;
    this.symbol = symbol;
    walk();
    this.symbol = outer;
  }

  /** Calls `walk` inside the first of the symbols, or inside the current one if the list is empty. */
  insideFirst<Result>(symbols: readonly number[], walk: () => Result): Result {
    const outer = this.symbol;
    this.symbol = symbols[0] ?? outer;
    const result = walk();
    this.symbol = outer;
    return result;
  }

  /** Walks into a node, up to a maximum depth. */
  deeper(walk: () => number): number {
    if (this.#depth >= MAX_DEPTH) {
      this.#isCut = true;
      return 0;
    }
    this.#depth += 1;
    const found = walk();
    this.#depth -= 1;
    return found;
  }

  scoped(walk: () => void): void {
    const outer = this.#mark;
    this.#mark = this.scopes.enter();
    walk();
    this.scopes.leave(this.#mark);
    this.#mark = outer;
  }

  /** The value that the innermost scope declares under a name. */
  ownValue(name: string): number | undefined {
    return this.scopes.isDeclaredSince(name, this.#mark) ? this.scopes.value(name) : undefined;
  }

  symbolNode(symbol: number): number {
    return this.writer.node1(OP.symbol, symbol);
  }

  /** The node of `object.name`. If the object is unknown, any member with that name may be meant. */
  member(object: number, name: string): number {
    if (object !== 0) return this.writer.node2(OP.member, object, this.writer.text(name));
    this.writer.unresolved(name, "member");
    return 0;
  }

  setType(symbol: number, node: number): void {
    this.writer.set("symbols", symbol, SYMBOL.type, node);
  }

  setHeritage(symbol: number, names: readonly number[]): void {
    const bases = names.map((name) => this.instance(name));
    this.writer.set("symbols", symbol, SYMBOL.heritage, this.writer.many(OP.list, bases));
  }

  /** Sets the parent types of a type. */
  inherit(symbol: number, types: readonly number[]): void {
    const known = types.filter((type) => type !== 0);
    if (known.length === 0) return;
    this.writer.set("symbols", symbol, SYMBOL.heritage, this.writer.many(OP.list, known));
  }

  instance(name: number): number {
    return name === 0 ? 0 : this.writer.code.push(OP.instance, name, 0) - 3;
  }

  /** A function by its parameter and result types. */
  func(parameters: readonly number[], result: number, flags = 0): number {
    const { code } = this.writer;
    const count = parameters.length;
    return code.push(OP.func, flags, result, 0, count, ...parameters) - 5 - count;
  }

  /** A call. Arguments are not needed, because no types are inferred from them. */
  call(callee: number): number {
    return callee === 0 ? 0 : this.writer.code.push(OP.call, callee, 0, 0, 0) - 5;
  }

  site(node: number, at: SyntaxNode, flags: number): void {
    this.siteAt(node, lineOf(at), columnOf(at), flags);
  }

  siteAt(node: number, line: number, column: number, flags: number): void {
    if (node !== 0) this.writer.tables.sites.push(node, this.symbol, line, column, flags);
  }

  /** Extends a symbol to the end of its last part. */
  extend(symbol: number, node: SyntaxNode): void {
    const lines = node.text.split("\n");
    const last = lines.at(-1)?.length ?? 0;
    const endColumn = lines.length === 1 ? columnOf(node) + last : last + 1;
    this.writer.set("symbols", symbol, SYMBOL.endLine, lineOf(node) + lines.length - 1);
    this.writer.set("symbols", symbol, SYMBOL.endColumn, endColumn);
  }

  /** Makes a name available to files of the same package. */
  share(name: string, node: number, at: SyntaxNode): void {
    this.writer.tables.exports.push(this.writer.text(name), node, node, lineOf(at));
  }

  export(name: string, node: number, at: SyntaxNode): void {
    this.share(name, node, at);
    const symbol = this.writer.code[node] === OP.symbol ? this.writer.code[node + 1]! : -1;
    if (symbol >= 0) this.mark(symbol, SYMBOL_FLAG.exported);
  }

  mark(symbol: number, flag: number): void {
    const flags = this.writer.get("symbols", symbol, SYMBOL.flags);
    this.writer.set("symbols", symbol, SYMBOL.flags, flags | flag);
  }

  entrypoint(
    kind: EntrypointKind,
    name: string,
    framework: string,
    at: SyntaxNode,
    handler: number,
  ): void {
    const { writer } = this;
    const number = ENTRYPOINT_KINDS.indexOf(kind);
    if (handler !== 0) this.site(handler, at, SITE_FLAG.register);
    writer.tables.entrypoints.push(number, writer.text(name), lineOf(at), this.symbol, handler);
    writer.tables.entrypoints.push(writer.text(framework), NO_ROUTER);
  }

  finish(): FileSymbolData {
    if (this.#isCut || this.#root.hasError) addWords(this.writer, this.#root.text);
    return this.writer.finish(getSurface(this.writer));
  }
}

export function field(node: SyntaxNode, name: string): SyntaxNode | undefined {
  return node.childForFieldName(name) ?? undefined;
}

/** The children of a node without comments, which can be anywhere. */
export const children = (node: SyntaxNode | undefined): SyntaxNode[] =>
  present(node?.namedChildren ?? []).filter(({ type }) => type !== "comment");

/** The text of a quoted literal without its quotes. */
export function stringNodeText(node: SyntaxNode | undefined): string | undefined {
  return /^[rbuf]*(["'`])((?:(?!\1).)*)\1$/is.exec(node?.text ?? "")?.[2];
}

/** The text of a declaration up to its body. */
export function declarationText(node: SyntaxNode, body: SyntaxNode | undefined): string {
  return body ? node.text.slice(0, Math.max(0, node.text.indexOf(body.text))) : node.text;
}
