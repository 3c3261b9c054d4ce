import {
  createSender,
  keepFile,
  githubLimits,
  limitedTransport,
  routeHeaders,
} from "@waybill/adapters/http";
import type { HttpResponse } from "@waybill/adapters/http";
import type { OperationContext } from "@waybill/core";
import type { AccountGate } from "@waybill/core/cards";
import type { GithubSurroundings } from "./surroundings.ts";
import { uploadsUrl } from "./github-host.ts";
import type { GithubHost } from "./github-host.ts";

const JSON_TYPE = "application/vnd.github+json";
const OCTETS = "application/octet-stream";
/** GitHub allows up to 2 GB, but uploads and downloads are held in memory here. */
const MAX_BYTES = 512_000_000;
const TOTAL_MS = 600_000;

interface UploadedFile {
  readonly bytes: Uint8Array;
  readonly contentType: string;
}

/** Uploads and downloads of bytes, which cards cannot do. */
export interface GithubFiles {
  upload(path: string, file: UploadedFile, context: OperationContext): Promise<unknown>;
  download(path: string, context: OperationContext): Promise<object>;
  /** The bytes of a file that an earlier answer stored under a handle. */
  readHandle(handle: string): Promise<Uint8Array | undefined>;
}

async function beforeSend(): Promise<void> {}

function makeFileAttempt(context: OperationContext, effect: "read" | "write") {
  const { signal, deadline } = context;
  return { effect, isRepeatable: effect === "read", signal, deadline, beforeSend };
}

export function githubFiles(
  place: GithubHost,
  around: GithubSurroundings,
  token: () => Promise<string | undefined>,
  gate: AccountGate,
): GithubFiles {
  const { userAgent, handles } = around;
  const { socketPath } = place;
  const transport = limitedTransport(around.transport, githubLimits(gate));
  const socket = socketPath === undefined ? {} : { socketPath };
  const options = { transport, userAgent, token, ...socket };
  const send = createSender(options);
  const limits = { responseBytes: MAX_BYTES, totalMs: TOTAL_MS };
  const request = (method: string, url: string, headers: Readonly<Record<string, string>>) => ({
    method,
    url,
    limits,
    headers: routeHeaders(options, false, headers),
  });
  return {
    async upload(path, { bytes, contentType }, context) {
      const headers = { accept: JSON_TYPE, "content-type": contentType };
      const sent = { ...request("POST", `${uploadsUrl(place)}${path}`, headers), body: bytes };
      const { body }: HttpResponse = await send(sent, makeFileAttempt(context, "write"));
      return JSON.parse(new TextDecoder().decode(body)) as unknown;
    },
    async download(path, context) {
      const asked = request("GET", `${place.restUrl}${path}`, { accept: OCTETS });
      const { body, headers } = await send(asked, makeFileAttempt(context, "read"));
      const { data } = await keepFile(body, headers, handles, context.operationId);
      return data;
    },
    async readHandle(handle) {
      const kept = await handles?.read(handle, 0, Number.MAX_SAFE_INTEGER);
      return kept && Buffer.from(kept.text, kept.encoding === "base64" ? "base64" : "utf8");
    },
  };
}
