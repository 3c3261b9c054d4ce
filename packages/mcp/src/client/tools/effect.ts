import type { Effect } from "@waybill/core";
import type { ToolHints } from "./tool.ts";

export interface ToolEffect {
  readonly effect: Effect;
  readonly idempotent: boolean;
}

/** What is not known to be harmless is not treated as harmless: a stranger's hints are only words. */
export function toolEffect(hints: ToolHints, isTrusted: boolean): ToolEffect {
  if (!isTrusted) return { effect: "write", idempotent: false };
  if (hints.readOnly) return { effect: "read", idempotent: true };
  return {
    effect: hints.destructive ? "destructive" : "write",
    idempotent: hints.idempotent,
  };
}
