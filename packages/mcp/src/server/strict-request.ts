import { ProtocolErrorCode } from "@modelcontextprotocol/server";
import { readMessage } from "./strict-message.ts";

/** Reads a body up to the limit, and reports if it is longer. */
async function readUpTo(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.byteLength;
    if (size > maxBytes) break;
  }
  return Buffer.concat(chunks);
}

function withBody(request: Request, bytes: Buffer): Request {
  const { method } = request;
  return new Request(request, { method, body: new Uint8Array(bytes) });
}

/**
 * Returns a request whose message has only one meaning, or the error response. A message that is
 * too long or not JSON is passed on, because the next reader reports that error.
 */
export async function strictly(request: Request, maxBytes: number): Promise<Request | Response> {
  if (request.body === null) return request;
  const bytes = await readUpTo(request.body, maxBytes);
  if (bytes.byteLength > maxBytes) return withBody(request, bytes);
  // Decoding removes a byte order mark. With it, a body would bypass the check.
  const text = new TextDecoder().decode(bytes);
  const read = readMessage(text);
  // Passes on the checked message. A body that is not JSON is passed on unchanged, because it
  // might become JSON without its byte order mark.
  if ("value" in read) return withBody(request, Buffer.from(text));
  if (read.problem.code === ProtocolErrorCode.ParseError) return withBody(request, bytes);
  const { id = null, ...error } = read.problem;
  return Response.json({ jsonrpc: "2.0", error, id }, { status: 400 });
}
