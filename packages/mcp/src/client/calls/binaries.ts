import type { HandleStore, MCPContentBlock } from "@waybill/core";

/** A stored binary. `result.read` returns its base64. */
export interface KeptBinary {
  readonly type: "image" | "audio" | "resource";
  readonly handle: string;
  readonly bytes: number;
  readonly mimeType?: string;
  readonly uri?: string;
}

function base64Length(base64: string): number {
  const padding = base64.endsWith("==") ? 2 : base64.endsWith("=") ? 1 : 0;
  return Math.max(0, Math.floor((base64.length * 3) / 4) - padding);
}

interface Binary {
  readonly base64: string;
  readonly facts: Omit<KeptBinary, "handle" | "bytes">;
}

function findBinary(block: MCPContentBlock): Binary | undefined {
  if (block.type === "image" || block.type === "audio") {
    return { base64: block.data, facts: { type: block.type, mimeType: block.mimeType } };
  }
  if (block.type !== "resource" || block.resource.blob === undefined) return undefined;
  const { uri, mimeType, blob } = block.resource;
  const facts = { type: "resource", uri, ...(mimeType !== undefined && { mimeType }) } as const;
  return { base64: blob, facts };
}

async function keep(
  block: MCPContentBlock,
  handles: HandleStore,
  capability_id: string,
): Promise<MCPContentBlock | KeptBinary> {
  const binary = findBinary(block);
  if (binary === undefined) return block;
  const handle = await handles.put(binary.base64, { capability_id, encoding: "base64" });
  return { ...binary.facts, handle, bytes: base64Length(binary.base64) };
}

/**
 * Replaces binary data in content blocks by handles, because binary data costs tokens and models
 * cannot read it.
 */
export function withHandles(
  blocks: readonly MCPContentBlock[],
  handles: HandleStore | undefined,
  capability_id: string,
): Promise<(MCPContentBlock | KeptBinary)[]> {
  if (handles === undefined) return Promise.resolve([...blocks]);
  return Promise.all(blocks.map((block) => keep(block, handles, capability_id)));
}
