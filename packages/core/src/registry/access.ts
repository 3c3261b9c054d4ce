import { CallError } from "../envelope/index.ts";
import { accessDenial } from "../operation/index.ts";
import type { OperationSpec } from "../operation/index.ts";
import type { CallOptions } from "./call-context.ts";

export function assertAccess(spec: OperationSpec, options: Pick<CallOptions, "identity">): void {
  const denial = accessDenial(spec.access, options.identity);
  if (denial === undefined) return;
  const message = `${options.identity?.id || "An anonymous caller"} may not call ${spec.id}: ${denial}`;
  throw new CallError("ACCESS_DENIED", message, { outcome: "not_applied" });
}
