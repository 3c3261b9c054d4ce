import {
  CONFIDENCES,
  CodeGraph,
  ENTRYPOINT_KINDS,
  IMPORT_KINDS,
  NONE,
  RESOLUTIONS,
  Strings,
  insertRows,
  mappedColumn,
} from "../graph/index.ts";
import type { Columns, Row } from "../graph/index.ts";
import { compileScope } from "../patterns/index.ts";
import type { Annotations } from "./annotation.ts";

const MAX_EDGES = 100_000;

/** The files that match a path or glob. */
export function filesMatching(graph: CodeGraph, text: string): number[] {
  const exact = graph.files.find(text);
  if (exact !== undefined) return [exact];
  const { matches } = compileScope(text);
  const found: number[] = [];
  for (let file = 0; file < graph.files.count; file++) {
    if (matches(graph.files.path(file))) found.push(file);
  }
  return found;
}

function edgeRows(graph: CodeGraph, { edges }: Annotations): Row[] {
  const rows: Row[] = [];
  for (const { from, to } of edges) {
    const targets = filesMatching(graph, to);
    for (const file of filesMatching(graph, from)) {
      for (const target of targets) {
        if (target === file || rows.length >= MAX_EDGES) continue;
        rows.push({
          from: file,
          to: target,
          kind: IMPORT_KINDS.indexOf("annotation"),
          confidence: CONFIDENCES.indexOf("exact"),
          how: RESOLUTIONS.indexOf("annotation"),
        });
      }
    }
  }
  return rows.toSorted((a, b) => a["from"]! - b["from"]!);
}

/** A copy of a string table with more strings at its end. */
class MoreStrings {
  readonly #strings: Strings;
  readonly #added = new Map<string, number>();

  constructor(strings: Strings) {
    this.#strings = strings;
  }

  idOf(text: string): number {
    const known = this.#strings.find(text) ?? this.#added.get(text);
    if (known !== undefined) return known;
    const id = this.#strings.count + this.#added.size;
    this.#added.set(text, id);
    return id;
  }

  finish(): Strings {
    const encoder = new TextEncoder();
    const texts = [...this.#added.keys()].map((text) => encoder.encode(text));
    const { bytes, starts, count } = this.#strings;
    const size = texts.reduce((sum, { length }) => sum + length, bytes.length);
    const allBytes = new Uint8Array(size);
    const allStarts = new Uint32Array(count + texts.length + 1);
    allBytes.set(bytes);
    allStarts.set(starts);
    let end = bytes.length;
    for (const [place, text] of texts.entries()) {
      allBytes.set(text, end);
      end += text.length;
      allStarts[count + place + 1] = end;
    }
    return new Strings(allBytes, allStarts);
  }
}

function entrypointRows(
  graph: CodeGraph,
  { entrypoints }: Annotations,
  strings: MoreStrings,
): Row[] {
  const rows: Row[] = [];
  for (const { path, type, name } of entrypoints) {
    for (const file of filesMatching(graph, path)) {
      rows.push({
        file,
        kind: ENTRYPOINT_KINDS.indexOf(type),
        line: 1,
        text: strings.idOf(name ?? graph.files.path(file)),
        detail: strings.idOf("annotation"),
        symbol: NONE,
      });
    }
  }
  return rows.toSorted((a, b) => a["file"]! - b["file"]!);
}

/** The graph with the annotations of people. Does not change the given graph. */
export function withAnnotations(graph: CodeGraph, annotations: Annotations): CodeGraph {
  if (annotations.edges.length === 0 && annotations.entrypoints.length === 0) return graph;
  const strings = new MoreStrings(graph.strings);
  const imports = insertRows(graph.tables.imports, "from", edgeRows(graph, annotations));
  const notes = entrypointRows(graph, annotations, strings);
  const entrypoints = insertRows(graph.tables.entrypoints, "file", notes);
  const bindings: Columns = {
    ...graph.tables.bindings,
    edge: mappedColumn(graph.tables.bindings.edge, imports.moved),
  };
  const tables = {
    ...graph.tables,
    imports: imports.columns,
    entrypoints: entrypoints.columns,
    bindings: bindings as typeof graph.tables.bindings,
  };
  return new CodeGraph(graph.info, tables, strings.finish());
}
