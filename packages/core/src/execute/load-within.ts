import { CallContext, waitWithin } from "../registry/index.ts";
import type { CallOptions, OperationRegistry } from "../registry/index.ts";

/** Waits for what has to be loaded before a call, but no longer than the call may take. */
export function loadWithin(
  load: () => Promise<void>,
  registry: OperationRegistry,
  limits: Pick<CallOptions, "deadline" | "signal">,
): Promise<void> {
  return waitWithin(new CallContext("waybill.load", registry, limits), load);
}
