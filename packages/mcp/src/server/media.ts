import { keptFor } from "@waybill/core/cards";
import { isRecord } from "@waybill/core/schema";
import type { HandleStore, Identity, ResultEnvelope } from "@waybill/core";
import type {
  CallToolResult,
  ReadResourceResult,
  ServerContext,
} from "@modelcontextprotocol/server";
import { RESULT_PREFIX } from "./results.ts";

type Block = CallToolResult["content"][number];

/** A file of an answer that is kept under a handle. */
interface KeptMedia {
  readonly handle: string;
  readonly mimeType: string;
  readonly bytes: number;
  readonly name: string | undefined;
}

/** Blocks that a model sees are paid for; what is beyond is a link. */
const MAX_BLOCKS = 8;
const MAX_BYTES = 4_000_000;
const MAX_DEPTH = 6;
const MAX_LOOKED_AT = 2_000;

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Both forms that a file has in data: a block of an MCP server, and the file of an API. */
function mediaIn(value: Record<string, unknown>): KeptMedia | undefined {
  const handle = text(value["handle"]);
  const mimeType = text(value["mimeType"]) ?? text(value["content_type"]);
  const bytes = value["bytes"] ?? value["size"];
  if (handle === undefined || mimeType === undefined || typeof bytes !== "number") return undefined;
  const name = text(value["filename"]) ?? text(value["uri"]);
  return { handle, mimeType: mimeType.split(";", 1)[0]!.trim(), bytes, name };
}

function findMedia(data: unknown): KeptMedia[] {
  const found = new Map<string, KeptMedia>();
  let looked = 0;
  const look = (value: unknown, depth: number): void => {
    if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return;
    if ((looked += 1) > MAX_LOOKED_AT) return;
    const media = isRecord(value) ? mediaIn(value) : undefined;
    if (media !== undefined) found.set(media.handle, media);
    else for (const inner of Object.values(value)) look(inner, depth + 1);
  };
  look(data, 0);
  return [...found.values()].slice(0, MAX_BLOCKS);
}

function linkTo({ handle, mimeType, bytes, name }: KeptMedia): Block {
  const uri = `${RESULT_PREFIX}${handle}?type=${encodeURIComponent(mimeType)}`;
  return { type: "resource_link", uri, name: name ?? handle, mimeType, size: bytes };
}

function identityIn(context: ServerContext): Identity | undefined {
  return context.http?.authInfo?.extra?.["identity"] as Identity | undefined;
}

/** Images, audio and files of answers, as MCP clients show them. */
export class Media {
  readonly #handles: HandleStore | undefined;

  constructor(handles: HandleStore | undefined) {
    this.#handles = handles;
  }

  /** Images and audio within the budget; everything else as a link that can be read. */
  async blocks({ ok, data }: ResultEnvelope, context: ServerContext): Promise<Block[]> {
    if (!ok || this.#handles === undefined) return [];
    const blocks: Block[] = [];
    let left = MAX_BYTES;
    for (const media of findMedia(data)) {
      const [kind] = media.mimeType.split("/", 1);
      const isShown = (kind === "image" || kind === "audio") && media.bytes <= left;
      const base64 = isShown ? await this.#read(media.handle, context) : undefined;
      if (base64 === undefined) blocks.push(linkTo(media));
      else {
        left -= media.bytes;
        blocks.push({ type: kind as "image", data: base64, mimeType: media.mimeType });
      }
    }
    return blocks;
  }

  /** The file that a link leads to; undefined for a handle to something else. */
  async resource(uri: string, context: ServerContext): Promise<ReadResourceResult | undefined> {
    if (!uri.startsWith(RESULT_PREFIX) || !URL.canParse(uri)) return undefined;
    const { pathname, searchParams } = new URL(uri);
    const names = [...searchParams.keys()];
    if (names.some((name) => name !== "type")) return undefined;
    const blob = await this.#read(pathname.slice(1), context);
    if (blob === undefined) return undefined;
    const mimeType = searchParams.get("type") ?? "application/octet-stream";
    return { contents: [{ uri, mimeType, blob }] };
  }

  async #read(handle: string, context: ServerContext): Promise<string | undefined> {
    const store = keptFor(this.#handles, identityIn(context));
    const kept = await store?.read(handle, 0, Number.MAX_SAFE_INTEGER).catch(() => undefined);
    return kept?.encoding === "base64" ? kept.text : undefined;
  }
}
