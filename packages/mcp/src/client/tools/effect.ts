import type { Effect } from "@waybill/core";
import type { ToolHints } from "./tool.ts";

export interface ToolEffect {
  readonly effect: Effect;
  readonly idempotent: boolean;
  /** Whether the effect is only assumed, because no trusted source stated it. */
  readonly assumed: boolean;
}

/**
 * The effect of a tool. A hint that makes it more dangerous always counts. A hint that makes it
 * less dangerous counts only if the server is trusted.
 */
export function toolEffect(hints: ToolHints, isTrusted: boolean): ToolEffect {
  if (hints.destructive === true) {
    return {
      effect: "destructive",
      idempotent: isTrusted && hints.idempotent === true,
      assumed: false,
    };
  }
  if (isTrusted && hints.readOnly === true)
    return { effect: "read", idempotent: true, assumed: false };
  return {
    effect: "write",
    idempotent: isTrusted && hints.idempotent === true,
    assumed: !isTrusted || hints.destructive !== false,
  };
}
