import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";

/** The part of GitHub's description that is used here. The object contains the rest too. */
export interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: Readonly<Record<string, unknown>>;
}

export const PACKED_DESCRIPTION = new URL("../../generated/description.json.br", import.meta.url);

let loading: Promise<Description> | undefined;

/** GitHub's own description of its REST API, decompressed on first use. */
export function loadDescription(): Promise<Description> {
  loading ??= unpack();
  return loading;
}

async function unpack(): Promise<Description> {
  const text = await promisify(brotliDecompress)(await readFile(PACKED_DESCRIPTION));
  return JSON.parse(text.toString("utf8")) as Description;
}
