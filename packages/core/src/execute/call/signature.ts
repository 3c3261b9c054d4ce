import { agentErrorCode, errorFromUnknown } from "../../envelope/index.ts";
import type { CallError } from "../../envelope/index.ts";
import type { OperationSpec } from "../../operation/index.ts";
import type { Catalogue } from "../../registry/index.ts";
import { signatureText } from "../explain.ts";

/** The operation that a wrong id probably meant, if the error suggests one. */
function nearestSpec(registry: Catalogue, error: CallError): OperationSpec | undefined {
  const [id] = error.details.did_you_mean ?? [];
  return id === undefined ? undefined : registry.getSpec(id);
}

function specToTell(
  registry: Catalogue,
  error: CallError,
  spec: OperationSpec | undefined,
): OperationSpec | undefined {
  const code = agentErrorCode(error);
  if (code === "VALIDATION") return spec;
  return code === "NOT_FOUND" && spec === undefined ? nearestSpec(registry, error) : undefined;
}

/**
 * Adds the signature of the operation to the error of a call that was not sent, so that the caller
 * can correct it immediately.
 */
export function withSignature(
  registry: Catalogue,
  thrown: unknown,
  spec: OperationSpec | undefined,
): CallError {
  const error = errorFromUnknown(thrown);
  const told = specToTell(registry, error, spec);
  if (told === undefined) return error;
  try {
    return error.with({ signature: signatureText(told) });
  } catch {
    // If a source cannot describe its operation, the original error is still returned.
    return error;
  }
}
