import type { CodeGraph } from "../graph/index.ts";
import type { IndexedFile, Occurrence } from "./decode-index.ts";
import type { ScipIndex } from "./load-index.ts";
import type { SourceTexts } from "./source-texts.ts";
import { isLocal, simpleName } from "./symbol-names.ts";

/** A file of the graph that the index covers. */
export interface CoveredFile {
  readonly file: number;
  readonly path: string;
  /** Occurrences that are not definitions, by `line:column`. */
  readonly byPlace: ReadonlyMap<string, Occurrence>;
  /** Every position in the index. */
  readonly places: ReadonlySet<string>;
}

/** Joins an index with the files and symbols of a graph. */
export class IndexedTree {
  readonly texts: SourceTexts;
  readonly files = new Map<number, CoveredFile>();
  readonly #graph: CodeGraph;
  readonly #definitions = new Map<string, number>();

  constructor(graph: CodeGraph, { files, writtenAt }: ScipIndex, texts: SourceTexts) {
    this.#graph = graph;
    this.texts = texts;
    for (const indexed of files) {
      const file = graph.files.find(indexed.path);
      const changedAt = texts.changedAt(indexed.path) ?? Number.POSITIVE_INFINITY;
      if (file !== undefined && changedAt <= writtenAt) this.#cover(file, indexed);
    }
  }

  #cover(file: number, { path, unit, occurrences }: IndexedFile): void {
    const byPlace = new Map<string, Occurrence>();
    const places = new Set<string>();
    for (const each of occurrences) {
      const occurrence = unit === "utf-16" ? each : this.#inTextUnits(path, unit, each);
      const place = `${occurrence.line}:${occurrence.column}`;
      places.add(place);
      if (occurrence.isDefinition) this.#define(file, occurrence);
      // If several occurrences have one position, the first one is the name in the text.
      else if (!byPlace.has(place)) byPlace.set(place, occurrence);
    }
    this.files.set(file, { file, path, byPlace, places });
  }

  #inTextUnits(path: string, unit: "utf-8" | "utf-32", given: Occurrence): Occurrence {
    const text = this.texts.lines(path)[given.line - 1] ?? "";
    const inUnits = (column: number): number => {
      if (unit === "utf-32")
        return (
          Array.from(text)
            .slice(0, column - 1)
            .join("").length + 1
        );
      return (
        Buffer.from(text)
          .subarray(0, column - 1)
          .toString("utf8").length + 1
      );
    };
    return { ...given, column: inUnits(given.column), endColumn: inUnits(given.endColumn) };
  }

  /** The innermost declaration with that name around the position. */
  #define(file: number, { symbol, line, column }: Occurrence): void {
    const name = simpleName(symbol);
    if (name === "" || this.#definitions.has(symbol)) return;
    let found: number | undefined;
    for (const each of this.#graph.symbols.inFile(file)) {
      const isAround = this.#contains(each, line, column);
      if (isAround && this.#graph.symbols.name(each) === name) found = each;
    }
    if (found !== undefined) this.#definitions.set(symbol, found);
  }

  #contains(symbol: number, line: number, column: number): boolean {
    const range = this.#graph.symbols.range(symbol);
    if (line < range.line || line > range.endLine) return false;
    if (line === range.line && column < range.column) return false;
    return line !== range.endLine || column < range.endColumn;
  }

  definition({ symbol }: Occurrence): number | undefined {
    return isLocal(symbol) ? undefined : this.#definitions.get(symbol);
  }

  /** Symbols are sorted by position, so the last one around a position is the innermost. */
  symbolAround(file: number, { line, column }: Occurrence): number {
    let found = this.#graph.symbols.moduleOf(file);
    for (const each of this.#graph.symbols.inFile(file)) {
      if (this.#contains(each, line, column)) found = each;
    }
    return found;
  }

  /** Whether the index covers every mention of a name in a file. */
  isExplained({ path, places }: CoveredFile, name: string): boolean {
    if (!/^[\w$]+$/.test(name)) return false;
    const word = new RegExp(
      String.raw`(?<![\w$])${name.replaceAll("$", String.raw`\$`)}(?![\w$])`,
      "g",
    );
    return this.texts
      .lines(path)
      .every((text, number) =>
        Array.from(text.matchAll(word)).every(({ index }) =>
          places.has(`${number + 1}:${index + 1}`),
        ),
      );
  }
}
