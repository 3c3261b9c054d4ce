import { isRecord, mcpEnvelope } from "@waybill/core";
import type { HandleStore, ResponseEnvelope } from "@waybill/core";
import { withHandles } from "./binaries.ts";
import { mapMCPContentBlocks } from "./content-blocks.ts";
import type { TextDecoding } from "./decode-text.ts";

export interface AnswerOptions {
  readonly capability_id: string;
  readonly handles: HandleStore | undefined;
  /** There when the tool says what it answers. */
  readonly decoding: TextDecoding | undefined;
}

/** A tool's result as the transport's envelope: what it promised first, its words otherwise. */
export async function toolAnswer(
  result: Record<string, unknown>,
  { capability_id, handles, decoding }: AnswerOptions,
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
  if (structuredContent !== undefined && !meta.isError) return mcpEnvelope(structuredContent, meta);
  const decoded = meta.isError ? undefined : await decoding?.decode(content);
  if (decoded !== undefined) {
    return mcpEnvelope(decoded.value, { ...meta, changes: [{ path: "", edit: "decoded" }] });
  }
  return mcpEnvelope(await withHandles(content, handles, capability_id), meta);
}
