import { ProtocolErrorCode } from "@modelcontextprotocol/server";
import { readMessage } from "./strict-message.ts";

/** A body as far as it is needed to tell that it is too long. */
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
 * A request whose message can be read in one way only, or the answer to one that cannot. A message
 * that is too long or no JSON is left to the next reader, which has its own error for it.
 */
export async function strictly(request: Request, maxBytes: number): Promise<Request | Response> {
  if (request.body === null) return request;
  const bytes = await readUpTo(request.body, maxBytes);
  if (bytes.byteLength > maxBytes) return withBody(request, bytes);
  // As a body is read: without a byte order mark, behind which nothing would be checked.
  const text = new TextDecoder().decode(bytes);
  const read = readMessage(text);
  // The checked message is passed on. A body that is no JSON is passed on unchanged: without its
  // byte order mark it might become JSON.
  if ("value" in read) return withBody(request, Buffer.from(text));
  if (read.problem.code === ProtocolErrorCode.ParseError) return withBody(request, bytes);
  const { id = null, ...error } = read.problem;
  return Response.json({ jsonrpc: "2.0", error, id }, { status: 400 });
}
