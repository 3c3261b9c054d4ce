import type { OperationSummary } from "../operation/index.ts";
import { PackedIndex, packOperations } from "../registry/index.ts";
import type { WordIndex } from "../registry/index.ts";
import { outsideText } from "./outside-text.ts";

/** Operations that were listed once, and the index of their words. */
export interface KeptOperations {
  /** Every operation in a line. */
  readonly summaries: readonly OperationSummary[];
  /** The words of all operations, for searching. */
  readonly words: WordIndex;
}

/** Operations as bytes that can be kept; undefined where a list says more than bytes can hold. */
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
