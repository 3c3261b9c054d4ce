import { decodeContainer, encodeContainer, FORMAT_VERSION } from "../../graph/index.ts";
import type { SourceFile } from "../link/source-file.ts";

/** What every file said, kept beside the graph so that one changed file is all that is read. */
export interface SavedFiles {
  readonly buildId: string;
  readonly files: readonly SourceFile[];
}

const MODULES = "modules.json";

export function encodeFiles({ buildId, files }: SavedFiles): Uint8Array {
  const json = new TextEncoder().encode(JSON.stringify(files));
  return encodeContainer(
    { info: { buildId }, columns: new Map([[MODULES, json]]) },
    FORMAT_VERSION,
  );
}

/** Undefined when they belong to another building than the graph does. */
export function decodeFiles(
  bytes: Uint8Array<ArrayBuffer>,
  buildId: string,
): readonly SourceFile[] | undefined {
  const container = decodeContainer(bytes, FORMAT_VERSION);
  const info = container?.info as { buildId?: unknown } | undefined;
  const json = container?.columns.get(MODULES);
  if (!json || info?.buildId !== buildId) return undefined;
  return JSON.parse(new TextDecoder().decode(json)) as SourceFile[];
}
