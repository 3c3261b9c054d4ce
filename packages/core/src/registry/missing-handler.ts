import { CallError } from "../envelope/index.ts";

/** The error for an operation that was registered without a handler. */
export function missingHandler(id: string): CallError {
  return new CallError("OPERATION_NOT_FOUND", `No handler registered for operation: ${id}`, {
    hint: `Register one: registry.registerHandler("${id}", handler)`,
  });
}
