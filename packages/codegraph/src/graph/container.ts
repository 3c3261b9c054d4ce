import { hash } from "node:crypto";
import type { Column } from "./columns.ts";

const MAGIC = "WAYBILLG";
const ALIGNMENT = 8;
const DIGEST_BYTES = 8;
const LENGTH_AT = MAGIC.length;
const DIGEST_AT = LENGTH_AT + 4;
const HEADER_AT = DIGEST_AT + DIGEST_BYTES;
const ARRAYS = { Uint8Array, Uint16Array, Uint32Array, Int32Array, Float64Array } as const;
type ArrayName = keyof typeof ARRAYS;

interface Section {
  readonly name: string;
  readonly array: ArrayName;
  readonly offset: number;
  readonly length: number;
}

interface Header {
  readonly version: string;
  readonly info: unknown;
  readonly sections: readonly Section[];
}

/** A JSON value together with named columns of numbers. */
export interface Container {
  readonly info: unknown;
  readonly columns: ReadonlyMap<string, Column>;
}

const aligned = (bytes: number): number => Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;

function arrayName(column: Column): ArrayName {
  for (const name of Object.keys(ARRAYS) as ArrayName[]) {
    if (column instanceof ARRAYS[name]) return name;
  }
  throw new TypeError("a column must be a typed array");
}

/** Encodes as bytes: a digest, a JSON header with the position of each column, then the columns. */
export function encodeContainer({ info, columns }: Container, version: string): Uint8Array {
  let size = 0;
  const sections = [...columns].map(([name, column]): Section => {
    const section = { name, array: arrayName(column), offset: size, length: column.length };
    size += aligned(column.byteLength);
    return section;
  });
  const header = new TextEncoder().encode(JSON.stringify({ version, info, sections }));
  const start = aligned(HEADER_AT + header.length);
  const bytes = new Uint8Array(start + size);
  bytes.set(new TextEncoder().encode(MAGIC));
  new DataView(bytes.buffer).setUint32(LENGTH_AT, header.length, true);
  bytes.set(header, HEADER_AT);
  for (const { name, offset } of sections) {
    const column = columns.get(name)!;
    bytes.set(new Uint8Array(column.buffer, column.byteOffset, column.byteLength), start + offset);
  }
  bytes.set(digestOf(bytes), DIGEST_AT);
  return bytes;
}

/** Decodes the bytes; undefined if they are incomplete, damaged, or from another version. */
export function decodeContainer(
  bytes: Uint8Array<ArrayBuffer>,
  version: string,
): Container | undefined {
  try {
    const text = new TextDecoder();
    if (text.decode(bytes.subarray(0, MAGIC.length)) !== MAGIC || !isCompleteContainer(bytes))
      return undefined;
    const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(LENGTH_AT, true);
    const json = text.decode(bytes.subarray(HEADER_AT, HEADER_AT + length));
    const header = JSON.parse(json) as Header;
    if (header.version !== version) return undefined;
    return {
      info: header.info,
      columns: storedColumns(header, bytes, aligned(HEADER_AT + length)),
    };
  } catch {
    return undefined;
  }
}

function storedColumns(
  { sections }: Header,
  bytes: Uint8Array<ArrayBuffer>,
  start: number,
): Map<string, Column> {
  return new Map(
    sections.map(({ name, array, offset, length }) => {
      const place = bytes.byteOffset + start + offset;
      return [name, new ARRAYS[array](bytes.buffer, place, length)];
    }),
  );
}

const digestOf = (bytes: Uint8Array): Uint8Array =>
  hash("sha1", bytes.subarray(HEADER_AT), "buffer").subarray(0, DIGEST_BYTES);

function isCompleteContainer(bytes: Uint8Array): boolean {
  const written = bytes.subarray(DIGEST_AT, HEADER_AT);
  return digestOf(bytes).every((byte, place) => byte === written[place]);
}
