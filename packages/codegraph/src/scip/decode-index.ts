import type { BinaryReader } from "@bufbuild/protobuf/wire";

/** One occurrence of a symbol in an index. Lines and columns are 1-based. */
export interface Occurrence {
  readonly line: number;
  readonly column: number;
  readonly endColumn: number;
  readonly symbol: string;
  readonly isDefinition: boolean;
  readonly isImport: boolean;
}

/** The occurrences of one file. */
export interface IndexedFile {
  readonly path: string;
  /** The unit in which columns are counted. */
  readonly unit: "utf-8" | "utf-16" | "utf-32";
  readonly occurrences: readonly Occurrence[];
}

/** Numbers of fields and values from `scip.proto`. */
const INDEX = { documents: 2 };
const DOCUMENT = { path: 1, occurrences: 2, positionEncoding: 6 };
const OCCURRENCE = { range: 1, symbol: 2, roles: 3 };
const ROLE = { definition: 1, import: 2 };
const UNITS: Readonly<Record<number, IndexedFile["unit"]>> = { 1: "utf-8", 3: "utf-32" };

type MakeReader = (bytes: Uint8Array) => BinaryReader;

/** Decodes the needed parts of a SCIP index. Throws for invalid data. */
export async function decodeIndex(bytes: Uint8Array): Promise<IndexedFile[]> {
  const { BinaryReader } = await import("@bufbuild/protobuf/wire");
  const make: MakeReader = (part) => new BinaryReader(part);
  const files: IndexedFile[] = [];
  eachField(make(bytes), (field, reader) => {
    if (field !== INDEX.documents) return false;
    files.push(decodeFile(reader.bytes(), make));
    return true;
  });
  return files;
}

/** `read` returns whether it has read the value of a field; otherwise the value is skipped. */
function eachField(
  reader: BinaryReader,
  read: (field: number, reader: BinaryReader) => boolean,
): void {
  while (reader.pos < reader.len) {
    const [field, type] = reader.tag();
    if (!read(field, reader)) reader.skip(type, field);
  }
}

function decodeFile(bytes: Uint8Array, make: MakeReader): IndexedFile {
  let path = "";
  let unit: IndexedFile["unit"] = "utf-16";
  const occurrences: Occurrence[] = [];
  eachField(make(bytes), (field, reader) => {
    if (field === DOCUMENT.path) path = reader.string();
    else if (field === DOCUMENT.positionEncoding) unit = UNITS[reader.int32()] ?? "utf-16";
    else if (field === DOCUMENT.occurrences) {
      const found = decodeOccurrence(reader.bytes(), make);
      if (found) occurrences.push(found);
    } else return false;
    return true;
  });
  return { path, unit, occurrences };
}

/** A range is `line, column, end column`, or `line, column, end line, end column`. */
function decodeOccurrence(bytes: Uint8Array, make: MakeReader): Occurrence | undefined {
  let range: number[] = [];
  let symbol = "";
  let roles = 0;
  eachField(make(bytes), (field, reader) => {
    if (field === OCCURRENCE.range) range = packedNumbers(reader.bytes(), make);
    else if (field === OCCURRENCE.symbol) symbol = reader.string();
    else if (field === OCCURRENCE.roles) roles = reader.int32();
    else return false;
    return true;
  });
  const [line, column] = range;
  if (line === undefined || column === undefined || symbol === "") return undefined;
  return {
    line: line + 1,
    column: column + 1,
    endColumn: (range.at(-1) ?? column) + 1,
    symbol,
    isDefinition: (roles & ROLE.definition) !== 0,
    isImport: (roles & ROLE.import) !== 0,
  };
}

function packedNumbers(bytes: Uint8Array, make: MakeReader): number[] {
  const reader = make(bytes);
  const numbers: number[] = [];
  while (reader.pos < reader.len) numbers.push(reader.int32());
  return numbers;
}
