import { isRecord } from "@waybill/core/schema";
import type { MCPAnnotations, MCPContentBlock, MCPResourceContent } from "@waybill/core";

type Block = Record<string, unknown>;

function stringMember(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function findAudience(value: unknown): ("user" | "assistant")[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.filter((one) => one === "user" || one === "assistant");
}

function getAnnotations({ annotations }: Block): { annotations?: MCPAnnotations } {
  if (!isRecord(annotations)) return {};
  const audience = findAudience(annotations["audience"]);
  const { priority } = annotations;
  const lastModified = stringMember(annotations["lastModified"]);
  return {
    annotations: {
      ...(audience !== undefined && { audience }),
      ...(typeof priority === "number" && Number.isFinite(priority) && { priority }),
      ...(lastModified !== undefined && { lastModified }),
    },
  };
}

function findResource(value: unknown): MCPResourceContent | undefined {
  if (!isRecord(value)) return undefined;
  const uri = stringMember(value["uri"]);
  if (uri === undefined) return undefined;
  const mimeType = stringMember(value["mimeType"]);
  const text = stringMember(value["text"]);
  const blob = stringMember(value["blob"]);
  return {
    uri,
    ...(mimeType !== undefined && { mimeType }),
    ...(text !== undefined && { text }),
    ...(blob !== undefined && { blob }),
  };
}

function findLink(block: Block): MCPContentBlock | undefined {
  const uri = stringMember(block["uri"]);
  const name = stringMember(block["name"]);
  if (uri === undefined || name === undefined) return undefined;
  const title = stringMember(block["title"]);
  const description = stringMember(block["description"]);
  const mimeType = stringMember(block["mimeType"]);
  const { size, icons, _meta } = block;
  return {
    type: "resource_link",
    uri,
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(mimeType !== undefined && { mimeType }),
    ...(typeof size === "number" && Number.isFinite(size) && { size }),
    ...(Array.isArray(icons) && { icons: icons.filter(isRecord) }),
    ...getAnnotations(block),
    ...(isRecord(_meta) && { _meta }),
  };
}

function findMedia(block: Block, type: "image" | "audio"): MCPContentBlock | undefined {
  const data = stringMember(block["data"]);
  const mimeType = stringMember(block["mimeType"]);
  if (data === undefined || mimeType === undefined) return undefined;
  return { type, data, mimeType, ...getAnnotations(block) };
}

function knownBlock(block: Block): MCPContentBlock | undefined {
  const { type } = block;
  const text = stringMember(block["text"]);
  const resource = findResource(block["resource"]);
  if (type === "text" && text !== undefined) return { type, text, ...getAnnotations(block) };
  if (type === "image" || type === "audio") return findMedia(block, type);
  if (type === "resource_link") return findLink(block);
  return type === "resource" && resource !== undefined
    ? { type, resource, ...getAnnotations(block) }
    : undefined;
}

/**
 * Converts content blocks to Waybill's types. A block of an unknown or invalid kind is kept as JSON
 * text.
 */
export function mapMCPContentBlocks(blocks: readonly unknown[]): MCPContentBlock[] {
  return blocks.map((block) => {
    const known = isRecord(block) ? knownBlock(block) : undefined;
    return known ?? { type: "text", text: JSON.stringify(block) ?? "" };
  });
}
