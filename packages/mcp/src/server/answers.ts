import { errorFromUnknown, failureResult, toResultError } from "@waybill/core";
import type { ResultEnvelope } from "@waybill/core";
import type { CallToolResult } from "@modelcontextprotocol/server";

export function textAnswer(text: string, isError = false): CallToolResult {
  return { content: [{ type: "text", text }], isError };
}

/** The envelope as one compact text, an error exactly when it failed. */
export function envelopeAnswer(envelope: ResultEnvelope): CallToolResult {
  return textAnswer(JSON.stringify(envelope), !envelope.ok);
}

/** What a question that cannot be answered becomes: the envelope that a call would have given. */
export function failureAnswer(thrown: unknown, capability_id = ""): CallToolResult {
  const facts = { requestId: "", isWrite: false, isRepeatable: true };
  const error = toResultError(errorFromUnknown(thrown), facts);
  return envelopeAnswer(failureResult(error, { capability_id }));
}
