// The code blocks of the document, as an installed program uses them.
import {
  TOOLS,
  createErrorEnvelope,
  createSuccessEnvelope,
  envelopeToResult,
  getWorkspaceContext,
} from "@waybill/codegraph";

type ToolResult = ReturnType<typeof envelopeToResult>;

export function success(result: object): ToolResult {
  const envelope = createSuccessEnvelope(TOOLS.GRAPH_DIGEST, result, getWorkspaceContext(), {
    truncated: false,
    limits: { maxItems: 10 },
    nextQuerySuggestion: [{ tool: TOOLS.GRAPH_ISSUES, args: { severity: "error" } }],
  });
  return envelopeToResult(envelope);
}

export function failure(input: { scope: string }): ToolResult {
  const envelope = createErrorEnvelope(
    TOOLS.GRAPH_DIGEST,
    "INVALID_INPUT",
    "Invalid scope parameter",
    getWorkspaceContext(),
    { scope: input.scope },
  );
  return envelopeToResult(envelope);
}
