import { keptFor } from "@waybill/core/cards";
import { MAX_SHOWN_BYTES, findMedia, readMedia } from "@waybill/core/protocol";
import type { KeptMedia } from "@waybill/core/protocol";
import type { HandleStore, Identity, ResultEnvelope } from "@waybill/core";
import type {
  CallToolResult,
  ReadResourceResult,
  ServerContext,
} from "@modelcontextprotocol/server";
import { RESULT_PREFIX } from "./results.ts";

type Block = CallToolResult["content"][number];

function linkTo({ handle, mimeType, bytes, name }: KeptMedia): Block {
  const uri = `${RESULT_PREFIX}${handle}?type=${encodeURIComponent(mimeType)}`;
  return { type: "resource_link", uri, name: name ?? handle, mimeType, size: bytes };
}

function identityIn(context: ServerContext): Identity | undefined {
  return context.http?.authInfo?.extra?.["identity"] as Identity | undefined;
}

/** Images, audio and files of answers, in the form that MCP clients show. */
export class Media {
  readonly #handles: HandleStore | undefined;

  constructor(handles: HandleStore | undefined) {
    this.#handles = handles;
  }

  /** Returns images and audio up to the budget. All other files become links that can be read. */
  async blocks({ ok, data }: ResultEnvelope, context: ServerContext): Promise<Block[]> {
    if (!ok || this.#handles === undefined) return [];
    const blocks: Block[] = [];
    let left = MAX_SHOWN_BYTES;
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

  /** The file that a link points to. Undefined for a handle of other data. */
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

  #read(handle: string, context: ServerContext): Promise<string | undefined> {
    return readMedia(keptFor(this.#handles, identityIn(context)), handle);
  }
}
