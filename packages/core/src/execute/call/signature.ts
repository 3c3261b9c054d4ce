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
 * The signature of an operation. If its source is not read yet, the stored one is used. Undefined
 * if there is none.
 */
function knownSignature(spec: OperationSpec): string | undefined {
  try {
    return signatureText(spec);
  } catch {
    return spec.signature === undefined ? undefined : `${spec.id}${spec.signature}`;
  }
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
  const signature = told && knownSignature(told);
  return signature === undefined ? error : error.with({ signature });
}
