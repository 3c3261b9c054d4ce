import { createErrorEnvelope, createSuccessEnvelope, envelopeToResult } from "@waybill/core";
import { TOOL_ERROR_CODES, toolErrorCode } from "@waybill/core/protocol";
import { expect } from "vitest";
import { here, type } from "./promised.ts";
import type { Promised } from "./promised.ts";

const workspace = { root: "/home/user/project", repoName: "project" };

export const TOOL_ENVELOPE: Readonly<Record<string, Promised>> = {
  ToolEnvelope: type,
  SuccessEnvelope: type,
  ErrorEnvelope: type,
  WorkspaceContext: type,
  createSuccessEnvelope: {
    from: here,
    differs: "approxTokens counts the exact text that is sent",
    shows() {
      const envelope = createSuccessEnvelope("graph_digest", { files: 3 }, workspace);
      expect(envelope).toMatchObject({ success: true, data: { version: "1.0", workspace } });
      const length = JSON.stringify(envelope).length;
      expect(envelope.data.meta.approxTokens).toBe(Math.ceil(length / 4));
    },
  },
  createErrorEnvelope: {
    from: here,
    shows: () =>
      expect(createErrorEnvelope("t", "NOT_FOUND", "no", workspace, { a: 1 })).toMatchObject({
        success: false,
        data: { result: { error: { code: "NOT_FOUND", message: "no", details: { a: 1 } } } },
      }),
  },
  envelopeToResult: {
    from: here,
    shows() {
      const envelope = createErrorEnvelope("t", "CANCELLED", "no", workspace);
      const { content, isError } = envelopeToResult(envelope);
      expect(isError).toBe(true);
      expect(content).toEqual([{ type: "text", text: JSON.stringify(envelope) }]);
    },
  },
  TOOL_ERROR_CODES: {
    from: here,
    differs: "also has NOT_FOUND, AMBIGUOUS and CANCELLED",
    shows: () => expect(TOOL_ERROR_CODES).toHaveLength(8),
  },
  toolErrorCode: {
    from: here,
    shows: () =>
      expect(toolErrorCode({ code: "TIMEOUT", message: "", retryable: true })).toBe(
        "NOT_AVAILABLE",
      ),
  },
  getWorkspaceContext: { from: "@waybill/codegraph" },
  TOOLS: { from: "@waybill/codegraph" },
};
