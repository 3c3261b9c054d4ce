import type { Effect } from "@waybill/core";
import type { ToolHints } from "./tool.ts";

export interface ToolEffect {
  readonly effect: Effect;
  readonly idempotent: boolean;
  /** Nobody whose word counts said that it is a write and no more. */
  readonly assumed: boolean;
}

/**
 * What calling a tool does. A hint that makes it more dangerous counts whoever gives it; one that
 * makes it less dangerous counts only from a server that is trusted.
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
