import { CodeGraph } from "./code-graph.ts";
import type { GraphInfo, GraphTables } from "./code-graph.ts";
import type { Column, Columns } from "./columns.ts";
import { Strings } from "./strings.ts";

/** A graph of another version is built anew. */
export const FORMAT_VERSION = 1;

const MAGIC = "WAYBILLG";
const ALIGNMENT = 8;
const ARRAYS = { Uint8Array, Uint16Array, Uint32Array, Int32Array, Float64Array } as const;
type ArrayName = keyof typeof ARRAYS;

interface Section {
  readonly name: string;
  readonly array: ArrayName;
  readonly offset: number;
  readonly length: number;
}

interface Header {
  readonly version: number;
  readonly info: GraphInfo;
  readonly sections: readonly Section[];
}

const aligned = (bytes: number): number => Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;

function* columnsOf(graph: CodeGraph): Generator<[string, Column]> {
  yield ["strings.bytes", graph.strings.bytes];
  yield ["strings.starts", graph.strings.starts];
  for (const [table, columns] of Object.entries<Columns>({ ...graph.tables })) {
    for (const [name, column] of Object.entries<Column>(columns))
      yield [`${table}.${name}`, column];
  }
}

function arrayName(column: Column): ArrayName {
  for (const name of Object.keys(ARRAYS) as ArrayName[]) {
    if (column instanceof ARRAYS[name]) return name;
  }
  throw new TypeError("a column is a typed array");
}

/** The graph as bytes: a JSON header that says where each column lies, then the columns. */
export function encodeGraph(graph: CodeGraph): Uint8Array {
  const columns = [...columnsOf(graph)];
  let offset = 0;
  const sections = columns.map(([name, column]): Section => {
    const section = { name, array: arrayName(column), offset, length: column.length };
    offset += aligned(column.byteLength);
    return section;
  });
  const header: Header = { version: FORMAT_VERSION, info: graph.info, sections };
  return assemble(new TextEncoder().encode(JSON.stringify(header)), sections, columns, offset);
}

function assemble(
  header: Uint8Array,
  sections: readonly Section[],
  columns: readonly [string, Column][],
  size: number,
): Uint8Array {
  const start = aligned(MAGIC.length + 4 + header.length);
  const bytes = new Uint8Array(start + size);
  bytes.set(new TextEncoder().encode(MAGIC));
  new DataView(bytes.buffer).setUint32(MAGIC.length, header.length, true);
  bytes.set(header, MAGIC.length + 4);
  for (const [place, { offset }] of sections.entries()) {
    const column = columns[place]![1];
    bytes.set(new Uint8Array(column.buffer, column.byteOffset, column.byteLength), start + offset);
  }
  return bytes;
}

/** Undefined when the bytes are no graph of this version: cut, corrupt, or from another one. */
export function decodeGraph(bytes: Uint8Array<ArrayBuffer>): CodeGraph | undefined {
  try {
    const { header, start } = readHeader(bytes);
    if (header.version !== FORMAT_VERSION) return undefined;
    return graphOf(header, bytes, start);
  } catch {
    return undefined;
  }
}

function readHeader(bytes: Uint8Array): { header: Header; start: number } {
  const text = new TextDecoder();
  if (text.decode(bytes.subarray(0, MAGIC.length)) !== MAGIC) throw new TypeError("not a graph");
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(MAGIC.length, true);
  const from = MAGIC.length + 4;
  const header = JSON.parse(text.decode(bytes.subarray(from, from + length))) as Header;
  return { header, start: aligned(from + length) };
}

function graphOf(
  { info, sections }: Header,
  bytes: Uint8Array<ArrayBuffer>,
  start: number,
): CodeGraph {
  const tables: Record<string, Record<string, Column>> = {};
  for (const { name, array, offset, length } of sections) {
    const [table = "", column = ""] = name.split(".");
    const place = bytes.byteOffset + start + offset;
    (tables[table] ??= {})[column] = new ARRAYS[array](bytes.buffer, place, length);
  }
  const { strings, ...rest } = tables;
  const text = new Strings(strings!["bytes"] as Uint8Array, strings!["starts"] as Uint32Array);
  return new CodeGraph(info, rest as unknown as GraphTables, text);
}
