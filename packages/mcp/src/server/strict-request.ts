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
 * A request whose message can be read in one way only, or the answer to one that cannot. What is too
 * long or no JSON at all is left to whoever reads it next, who has its own words for that.
 */
export async function strictly(request: Request, maxBytes: number): Promise<Request | Response> {
  if (request.body === null) return request;
  const bytes = await readUpTo(request.body, maxBytes);
  if (bytes.byteLength > maxBytes) return withBody(request, bytes);
  // As a body is read: without a byte order mark, behind which nothing would be checked.
  const text = new TextDecoder().decode(bytes);
  const read = readMessage(text);
  // What was checked goes on. What is no JSON goes as it came: without one mark it might become some.
  if ("value" in read) return withBody(request, Buffer.from(text));
  if (read.problem.code === ProtocolErrorCode.ParseError) return withBody(request, bytes);
  const { id = null, ...error } = read.problem;
  return Response.json({ jsonrpc: "2.0", error, id }, { status: 400 });
}
