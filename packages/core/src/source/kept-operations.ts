import type { OperationSummary } from "../operation/index.ts";
import { PackedIndex, packOperations } from "../registry/index.ts";
import type { WordIndex } from "../registry/index.ts";
import { outsideText } from "./outside-text.ts";

/** Operations from a stored list, with the search index of their words. */
export interface KeptOperations {
  /** The summary of every operation. */
  readonly summaries: readonly OperationSummary[];
  /** The search index of all operations. */
  readonly words: WordIndex;
}

/**
 * Packs operations into bytes that can be stored. Undefined if the list has data that the format
 * cannot represent.
 */
export function packSummaries(summaries: readonly OperationSummary[]): Uint8Array | undefined {
  if (summaries.some(({ needsTrust }) => needsTrust !== undefined)) return undefined;
  return packOperations(
    summaries.map(({ id, description, effect, idempotent, kind, ...rest }) => ({
      id,
      effect,
      idempotent,
      kind,
      description: outsideText(description),
      parameters: rest.parameters ?? [],
      exposed: rest.exposed ?? true,
      assumed: rest.assumed ?? false,
      safe: rest.safe ?? false,
      raw: rest.raw ?? false,
    })),
  );
}

/** Reads the bytes of `packSummaries`; undefined for other bytes. */
export function unpackSummaries(bytes: Uint8Array): KeptOperations | undefined {
  const words = PackedIndex.read(bytes);
  return words && { summaries: words.summaries(), words };
}
