import { mcpEnvelope } from "@waybill/core";
import { exactIntegersMeta, isRecord } from "@waybill/core/schema";
import type { HandleStore, ResponseEnvelope } from "@waybill/core";
import { withHandles } from "./binaries.ts";
import { mapMCPContentBlocks } from "./content-blocks.ts";
import type { TextDecoding } from "./decode-text.ts";

export interface AnswerOptions {
  readonly capability_id: string;
  readonly handles: HandleStore | undefined;
  /** The output schema. Present if the tool declares one. */
  readonly decoding: TextDecoding | undefined;
  /** Paths in the result with integers that are too large for a number. */
  readonly integers?: readonly string[];
}

const STRUCTURED = "/structuredContent";

/** Converts paths in the result to paths in the data. */
function integerPaths(integers: readonly string[]): string[] {
  return integers
    .filter((path) => path === STRUCTURED || path.startsWith(`${STRUCTURED}/`))
    .map((path) => path.slice(STRUCTURED.length));
}

/**
 * Converts a tool's result to an envelope. The data is the structured content if there is any,
 * otherwise the text.
 */
export async function toolAnswer(
  result: Record<string, unknown>,
  { capability_id, handles, decoding, integers = [] }: AnswerOptions,
): Promise<ResponseEnvelope> {
  const blocks = Array.isArray(result["content"]) ? (result["content"] as unknown[]) : [];
  const content = mapMCPContentBlocks(blocks);
  const { structuredContent, _meta } = result;
  const meta = {
    isError: result["isError"] === true,
    content,
    ...(structuredContent !== undefined && { structuredContent }),
    ...(isRecord(_meta) && { _meta }),
  };
  if (structuredContent !== undefined && !meta.isError) {
    const exact = exactIntegersMeta(integerPaths(integers));
    return mcpEnvelope(structuredContent, { ...meta, ...exact });
  }
  const decoded = meta.isError ? undefined : await decoding?.decode(content);
  if (decoded !== undefined) {
    const { changes = [], ...exact } = exactIntegersMeta(decoded.integers);
    const edits = [{ path: "", edit: "decoded" } as const, ...changes];
    return mcpEnvelope(decoded.value, { ...meta, ...exact, changes: edits });
  }
  return mcpEnvelope(await withHandles(content, handles, capability_id), meta);
}
