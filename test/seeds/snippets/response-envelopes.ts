// The code blocks of the document, as an installed program uses them.
import { CallError, httpEnvelope, mcpEnvelope, unwrap } from "@waybill/core";
import type { ResponseEnvelope, ResponseMeta, ResponseSource } from "@waybill/core";
import { mapMCPContentBlocks } from "@waybill/mcp";

/** The result of a tool, as a client of MCP gets it. */
interface CallToolResult {
  readonly content: unknown[];
  readonly structuredContent?: Record<string, unknown>;
  readonly isError?: boolean;
  readonly _meta?: Record<string, unknown>;
}

export function fromTool(result: CallToolResult): ResponseEnvelope {
  const { structuredContent, _meta } = result;
  return mcpEnvelope(structuredContent ?? mapMCPContentBlocks(result.content), {
    isError: result.isError ?? false,
    content: mapMCPContentBlocks(result.content),
    ...(structuredContent !== undefined && { structuredContent }),
    ...(_meta !== undefined && { _meta }),
  });
}

export async function fromHttp(response: Response): Promise<ResponseEnvelope> {
  if (!response.ok) {
    throw new CallError("EXECUTION_ERROR", `HTTP ${response.status}: ${response.statusText}`);
  }
  const contentType = response.headers.get("Content-Type") || "";
  const data: unknown = contentType.includes("application/json")
    ? await response.json()
    : await response.text();
  return httpEnvelope(data, {
    statusCode: response.status,
    headers: Object.fromEntries(response.headers.entries()),
    contentType,
  });
}

export function readSource(envelope: ResponseEnvelope): ResponseSource {
  const meta: ResponseMeta = envelope.meta;
  return meta.source;
}

export function dataIn<T>(envelope: ResponseEnvelope<T>): T {
  return unwrap(envelope);
}
