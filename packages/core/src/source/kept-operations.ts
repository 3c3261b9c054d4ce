import type { OperationSpec, OperationSummary } from "../operation/index.ts";
import { PackedIndex, packOperations } from "../registry/index.ts";
import type { WordIndex } from "../registry/index.ts";
import { inputsLine } from "../schema/index.ts";
import { outsideText } from "./outside-text.ts";

/** Operations from a stored list, with the search index of their words. */
export interface KeptOperations {
  /** The summary of every operation. */
  readonly summaries: readonly OperationSummary[];
  /** The search index of all operations. */
  readonly words: WordIndex;
  /** Whether the list tells how to call its operations. */
  readonly hasSignatures: boolean;
}

/** Returns the whole description of an operation. It may throw. */
type Describe = (id: string) => Pick<OperationSpec, "inputSchema">;

/** Empty if the operation cannot be described. `explain` and calls of the operation report why. */
function keptSignature(id: string, describe: Describe): string {
  try {
    return outsideText(inputsLine(describe(id).inputSchema));
  } catch {
    return "";
  }
}

/**
 * Packs operations into bytes that can be stored. With `describe`, their signatures are packed too.
 * Undefined if the list has data that the format cannot represent.
 */
export function packSummaries(
  summaries: readonly OperationSummary[],
  describe?: Describe,
): Uint8Array | undefined {
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
      ...(describe !== undefined && { signature: keptSignature(id, describe) }),
    })),
  );
}

/** Reads the bytes of `packSummaries`; undefined for other bytes. */
export function unpackSummaries(bytes: Uint8Array): KeptOperations | undefined {
  const words = PackedIndex.read(bytes);
  if (words === undefined) return undefined;
  return { summaries: words.summaries(), words, hasSignatures: words.hasSignatures };
}
