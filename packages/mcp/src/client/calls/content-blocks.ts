import { isRecord } from "@waybill/core/schema";
import type { MCPAnnotations, MCPContentBlock, MCPResourceContent } from "@waybill/core";

type Block = Record<string, unknown>;

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function audienceOf(value: unknown): ("user" | "assistant")[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.filter((one) => one === "user" || one === "assistant");
}

function annotationsOf({ annotations }: Block): { annotations?: MCPAnnotations } {
  if (!isRecord(annotations)) return {};
  const audience = audienceOf(annotations["audience"]);
  const { priority } = annotations;
  const lastModified = textOf(annotations["lastModified"]);
  return {
    annotations: {
      ...(audience !== undefined && { audience }),
      ...(typeof priority === "number" && Number.isFinite(priority) && { priority }),
      ...(lastModified !== undefined && { lastModified }),
    },
  };
}

function resourceOf(value: unknown): MCPResourceContent | undefined {
  if (!isRecord(value)) return undefined;
  const uri = textOf(value["uri"]);
  if (uri === undefined) return undefined;
  const mimeType = textOf(value["mimeType"]);
  const text = textOf(value["text"]);
  const blob = textOf(value["blob"]);
  return {
    uri,
    ...(mimeType !== undefined && { mimeType }),
    ...(text !== undefined && { text }),
    ...(blob !== undefined && { blob }),
  };
}

function linkOf(block: Block): MCPContentBlock | undefined {
  const uri = textOf(block["uri"]);
  const name = textOf(block["name"]);
  if (uri === undefined || name === undefined) return undefined;
  const title = textOf(block["title"]);
  const description = textOf(block["description"]);
  const mimeType = textOf(block["mimeType"]);
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
    ...annotationsOf(block),
    ...(isRecord(_meta) && { _meta }),
  };
}

function mediaOf(block: Block, type: "image" | "audio"): MCPContentBlock | undefined {
  const data = textOf(block["data"]);
  const mimeType = textOf(block["mimeType"]);
  if (data === undefined || mimeType === undefined) return undefined;
  return { type, data, mimeType, ...annotationsOf(block) };
}

function knownBlock(block: Block): MCPContentBlock | undefined {
  const { type } = block;
  const text = textOf(block["text"]);
  const resource = resourceOf(block["resource"]);
  if (type === "text" && text !== undefined) return { type, text, ...annotationsOf(block) };
  if (type === "image" || type === "audio") return mediaOf(block, type);
  if (type === "resource_link") return linkOf(block);
  return type === "resource" && resource !== undefined
    ? { type, resource, ...annotationsOf(block) }
    : undefined;
}

/** Content blocks in our own types. A block of an unknown or broken kind is kept as its JSON text. */
export function mapMCPContentBlocks(blocks: readonly unknown[]): MCPContentBlock[] {
  return blocks.map((block) => {
    const known = isRecord(block) ? knownBlock(block) : undefined;
    return known ?? { type: "text", text: JSON.stringify(block) ?? "" };
  });
}
