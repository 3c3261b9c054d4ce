import { UNRESOLVED_KINDS } from "../../../graph/index.ts";
import type { UnresolvedKind } from "../../../graph/index.ts";
import { OP } from "./ops.ts";
import { HEADER, SEPARATOR, TABLES, TABLE_NAMES } from "./symbol-facts.ts";
import type { FileSymbolData, TableName } from "./symbol-facts.ts";

/** Collects the facts of one file. Plain arrays of small numbers grow faster than typed arrays. */
export class FactsWriter {
  readonly code: number[] = [OP.unknown];
  readonly tables: Readonly<Record<TableName, number[]>> = {
    symbols: [],
    sites: [],
    exports: [],
    stars: [],
    entrypoints: [],
    mounts: [],
    unresolved: [],
  };
  readonly #texts = new Map<string, number>([["", 0]]);
  readonly #list: string[] = [""];
  readonly #unresolved = new Set<number>();

  /** The number of a string. NUL separates strings, so a string is cut at a NUL. */
  text(text: string): number {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    this.#texts.set(text, this.#list.length);
    return this.#list.push(text) - 1;
  }

  hasText(text: string): boolean {
    return this.#texts.has(text);
  }

  textAt(id: number): string {
    return this.#list[id] ?? "";
  }

  /**
   * Records a name that cannot be resolved, as far as the file alone shows. Names that depend on
   * other files are recorded when files are linked.
   */
  unresolved(name: string, kind: UnresolvedKind): void {
    const number = UNRESOLVED_KINDS.indexOf(kind);
    const id = this.text(name);
    const key = id * UNRESOLVED_KINDS.length + number;
    if (this.#unresolved.has(key)) return;
    this.#unresolved.add(key);
    this.tables.unresolved.push(id, number);
  }

  count(table: TableName): number {
    return this.tables[table].length / TABLES[table].length;
  }

  get(table: TableName, row: number, column: number): number {
    return this.tables[table][row * TABLES[table].length + column]!;
  }

  set(table: TableName, row: number, column: number, value: number): void {
    this.tables[table][row * TABLES[table].length + column] = value;
  }

  node1(op: number, a: number): number {
    return this.code.push(op, a) - 2;
  }

  node2(op: number, a: number, b: number): number {
    return this.code.push(op, a, b) - 3;
  }

  /** Adds a node with a count and that many operands. */
  many(op: number, nodes: readonly number[]): number {
    const start = this.code.push(op, nodes.length) - 2;
    for (const node of nodes) this.code.push(node);
    return start;
  }

  /** A union of the known nodes. Unknown ones are left out. */
  union(nodes: readonly number[]): number {
    const known = nodes.filter((node) => node !== 0);
    return known.length > 1 ? this.many(OP.union, known) : (known[0] ?? 0);
  }

  /** A union that keeps one unknown part if any node is unknown. */
  oneOf(nodes: readonly number[]): number {
    const known = nodes.filter((node) => node !== 0);
    if (known.length === 0 || known.length === nodes.length) return this.union(known);
    return this.many(OP.union, [...known, 0]);
  }

  finish(surface: number): FileSymbolData {
    const size = TABLE_NAMES.reduce((sum, name) => sum + this.tables[name].length, HEADER);
    const numbers = new Int32Array(size + this.code.length);
    numbers.set([this.code.length, surface, ...TABLE_NAMES.map((name) => this.count(name))]);
    numbers.set(this.code, HEADER);
    let offset = HEADER + this.code.length;
    for (const name of TABLE_NAMES) {
      numbers.set(this.tables[name], offset);
      offset += this.tables[name].length;
    }
    return { numbers, texts: this.#joined() };
  }

  #joined(): string {
    const texts = this.#list.join(SEPARATOR);
    const isClean = texts.split(SEPARATOR).length === this.#list.length;
    return isClean ? texts : this.#list.map((text) => text.split(SEPARATOR)[0]).join(SEPARATOR);
  }
}
