import type {
  ArrowFunctionExpression,
  CallExpression,
  Class,
  Decorator,
  Expression,
  Function,
  NewExpression,
  Statement,
  TSType,
} from "oxc-parser";
import { ENTRYPOINT_KINDS, SYMBOL_KINDS } from "../../../graph/index.ts";
import type { EntrypointKind, SymbolKind } from "../../../graph/index.ts";
import { FrameworkNotes } from "../../entrypoints/notes.ts";
import { FactsWriter } from "../facts/facts-writer.ts";
import { OP, SITE_FLAG, SYMBOL_FLAG } from "../facts/ops.ts";
import { ENTRYPOINT, SYMBOL } from "../facts/symbol-facts.ts";
import { oneLine } from "./detail.ts";
import { Lines } from "../../modules/lines.ts";
import { Scopes } from "./scopes.ts";

/** The deepest nesting of expressions and statements. Deeper parts are left out. */
const MAX_DEPTH = 1_000;
/** Marks an entry point without a router, or with an unnamed one. */
export const NO_ROUTER = -1;

export type FunctionNode = Function | ArrowFunctionExpression;

/**
 * The parts of the walk call each other through this interface, because they depend on each other.
 */
export interface Walk {
  readonly recognise: Recogniser;
  /** Walks an expression and returns its node. `expected` is the type that the context needs. */
  expression(x: Extraction, node: Expression, expected?: number): number;
  type(x: Extraction, node: TSType): number;
  statement(x: Extraction, node: Statement): void;
  /** Declares the names of the statements, then walks them. */
  statements(
    x: Extraction,
    body: readonly Statement[],
    level: "module" | "function" | "block",
  ): void;
  func(x: Extraction, node: FunctionNode, expected: number): number;
  classLike(x: Extraction, node: Class, symbol: number): void;
}

/** Framework recognisers, which are called during the walk. */
export interface Recogniser {
  called(x: Extraction, node: CallExpression | NewExpression, call: number): void;
  /** Called when a variable gets its value. */
  held(x: Extraction, name: string, value: Expression): void;
  classDecorated(x: Extraction, list: readonly Decorator[]): void;
  methodDecorated(x: Extraction, list: readonly Decorator[], method: string, symbol: number): void;
  finished(x: Extraction, path: string): void;
}

/** The position of an entry point and its handler; 0 if the handler has no name. */
export interface EntrypointPosition {
  readonly line: number;
  readonly handler: number;
  /** The offset of the handler's name, if that is on another line than the entry point. */
  readonly offset?: number;
}

export interface EntrypointDraft extends EntrypointPosition {
  readonly kind: EntrypointKind;
  readonly name: string;
  readonly framework: string;
}

/** The return values of the current function so far, and its declared type. */
export interface Frame {
  readonly returns: number[];
  readonly expected: number;
}

export interface SymbolDraft {
  readonly name: string;
  readonly kind: SymbolKind;
  readonly start: number;
  readonly end: number;
  /** The position where the declaration without its body ends. */
  readonly head: number;
  readonly flags?: number;
  /** Text before the declaration, such as `const`. */
  readonly prefix?: string;
}

const KIND_NUMBERS = Object.fromEntries(
  SYMBOL_KINDS.map((kind, number) => [kind, number]),
) as Readonly<Record<SymbolKind, number>>;

/** The state of one walk over one file. */
export class Extraction {
  readonly text: string;
  readonly walk: Walk;
  /** Functions that are used like `require`. */
  readonly exotic: readonly string[];
  readonly writer = new FactsWriter();
  readonly scopes = new Scopes();
  readonly lines: Lines;
  readonly notes = new FrameworkNotes();
  /** Whether the file contains `var`. Only then are blocks searched for it. */
  readonly hasVars: boolean;
  /** The innermost symbol at the current position. */
  symbol = 0;
  /** The nodes of `this` and `super` at the current position. */
  self = 0;
  parent = 0;
  frame: Frame | undefined;
  /** Whether the walk is in a namespace, where nothing is an export of the file. */
  isNested = false;
  /** Whether something was left out because it is nested too deeply. */
  isCut = false;
  #depth = 0;
  readonly #later: (() => void)[] = [];

  constructor(text: string, walk: Walk, exotic: readonly string[]) {
    this.text = text;
    this.walk = walk;
    this.exotic = exotic;
    this.lines = new Lines(text);
    this.hasVars = /\bvar\s/.test(text);
  }

  expression(node: Expression, expected = 0): number {
    if (this.#isTooDeep()) return 0;
    this.#depth += 1;
    const found = this.walk.expression(this, node, expected);
    this.#depth -= 1;
    return found;
  }

  type(node: TSType): number {
    if (this.#isTooDeep()) return 0;
    this.#depth += 1;
    const found = this.walk.type(this, node);
    this.#depth -= 1;
    return found;
  }

  statement(node: Statement): void {
    if (this.#isTooDeep()) return;
    this.#depth += 1;
    this.walk.statement(this, node);
    this.#depth -= 1;
  }

  #isTooDeep(): boolean {
    if (this.#depth < MAX_DEPTH) return false;
    this.isCut = true;
    return true;
  }

  /** Walks the content of a symbol. */
  inside<Result>(symbol: number, walk: () => Result): Result {
    const outer = this.symbol;
    this.symbol = symbol;
    const result = walk();
    this.symbol = outer;
    return result;
  }

  scoped<Result>(walk: () => Result): Result {
    const mark = this.scopes.enter();
    const result = walk();
    this.scopes.leave(mark);
    return result;
  }

  /** Adds a symbol inside the current one. */
  declare({ name, kind, start, end, head, flags = 0, prefix = "" }: SymbolDraft): number {
    const { writer, lines } = this;
    const symbol = writer.count("symbols");
    const line = lines.lineOf(start);
    const column = lines.columnOf(start);
    const detail = writer.text(prefix + oneLine(this.text.slice(start, head)));
    const parent = symbol === 0 ? -1 : this.symbol;
    writer.tables.symbols.push(
      writer.text(name),
      KIND_NUMBERS[kind],
      parent,
      flags,
      line,
      column,
      lines.lineOf(end),
      lines.columnOf(end),
      detail,
      0,
      0,
      0,
    );
    return symbol;
  }

  /** Runs a function after all symbols of the file have their numbers. */
  later(say: () => void): void {
    this.#later.push(say);
  }

  finish(): void {
    for (const say of this.#later) say();
  }

  symbolNode(symbol: number): number {
    return this.writer.node1(OP.symbol, symbol);
  }

  setType(symbol: number, node: number): void {
    this.writer.set("symbols", symbol, SYMBOL.type, node);
  }

  markExported(symbol: number): void {
    const flags = this.writer.get("symbols", symbol, SYMBOL.flags);
    this.writer.set("symbols", symbol, SYMBOL.flags, flags | SYMBOL_FLAG.exported);
  }

  /** Adds an entry point. The current symbol registers its handler. */
  entrypoint({ kind, name, framework, line, handler, offset }: EntrypointDraft): number {
    const { writer } = this;
    const row = writer.count("entrypoints");
    if (handler !== 0 && offset !== undefined) this.site(handler, offset, SITE_FLAG.register);
    else if (handler !== 0) {
      writer.tables.sites.push(handler, this.symbol, line, 1, SITE_FLAG.register);
    }
    writer.tables.entrypoints.push(
      ENTRYPOINT_KINDS.indexOf(kind),
      writer.text(name),
      line,
      this.symbol,
      handler,
      writer.text(framework),
      NO_ROUTER,
    );
    return row;
  }

  /** Completes an entry point. `router` is the symbol of its router. */
  nameEntrypoint(row: number, name: string, router = NO_ROUTER): void {
    this.writer.set("entrypoints", row, ENTRYPOINT.name, this.writer.text(name));
    this.writer.set("entrypoints", row, ENTRYPOINT.router, router);
  }

  /** Mounts a router of another file below a path, on a router of this file. */
  mount(prefix: string, router: number, on: number): void {
    this.writer.tables.mounts.push(this.writer.text(prefix), router, on);
  }

  /** A symbol as the position and handler of an entry point. */
  symbolPlace(symbol: number): EntrypointPosition {
    const line = this.writer.get("symbols", symbol, SYMBOL.line);
    return { line, handler: this.symbolNode(symbol) };
  }

  /** The names of a symbol's direct children. */
  childrenOf(symbol: number): string[] {
    const names: string[] = [];
    for (let child = symbol + 1; child < this.writer.count("symbols"); child++) {
      if (this.writer.get("symbols", child, SYMBOL.parent) !== symbol) continue;
      names.push(this.writer.textAt(this.writer.get("symbols", child, SYMBOL.name)));
    }
    return names;
  }

  /** Records a use at a position. */
  site(node: number, offset: number, flags: number): void {
    const line = this.lines.lineOf(offset);
    this.writer.tables.sites.push(node, this.symbol, line, this.lines.columnOf(offset), flags);
  }
}
