import { CodeGraph } from "./code-graph.ts";
import type { GraphInfo, GraphTables } from "./code-graph.ts";
import type { Column, Columns } from "./columns.ts";
import { decodeContainer, encodeContainer } from "./container.ts";
import { Strings } from "./strings.ts";

/** The version of the columns and their numbers. A graph of another version is built again. */
export const FORMAT_VERSION = 10;

export interface SavedGraph {
  readonly graph: CodeGraph;
  /** Identifies the build that all saved files belong to. */
  readonly buildId: string;
  /** The modification time of each file when it was read. */
  readonly mtimes: Float64Array;
}

interface SavedInfo {
  readonly graph: GraphInfo;
  readonly buildId: string;
}

const MTIMES = "saved.mtimes";

function* tableColumns({ strings, tables }: CodeGraph): Generator<[string, Column]> {
  yield ["strings.bytes", strings.bytes];
  yield ["strings.starts", strings.starts];
  for (const [table, columns] of Object.entries<Columns>({ ...tables })) {
    for (const [name, column] of Object.entries<Column>(columns))
      yield [`${table}.${name}`, column];
  }
}

/** Encodes a graph. `version` identifies the code that wrote it; only the same code may read it. */
export function encodeGraph({ graph, buildId, mtimes }: SavedGraph, version: string): Uint8Array {
  const info: SavedInfo = { graph: graph.info, buildId };
  const columns = new Map([...tableColumns(graph), [MTIMES, mtimes] as const]);
  return encodeContainer({ info, columns }, version);
}

/** Decodes a graph; undefined if the bytes are incomplete, damaged, or from another version. */
export function decodeGraph(
  saved: Uint8Array<ArrayBuffer>,
  version: string,
): SavedGraph | undefined {
  const container = decodeContainer(saved, version);
  if (!container) return undefined;
  const tables: Record<string, Record<string, Column>> = {};
  for (const [name, column] of container.columns) {
    const [table = "", key = ""] = name.split(".");
    (tables[table] ??= {})[key] = column;
  }
  const { strings, saved: extra, ...rest } = tables;
  const info = container.info as SavedInfo;
  const text = new Strings(strings!["bytes"] as Uint8Array, strings!["starts"] as Uint32Array);
  const graph = new CodeGraph(info.graph, rest as unknown as GraphTables, text);
  return { graph, buildId: info.buildId, mtimes: extra!["mtimes"] as Float64Array };
}
