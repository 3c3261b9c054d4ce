import { CallError } from "../envelope/index.ts";

/** The error for an id that a source does not have. */
export function missingOperation(source: string, id: string): CallError {
  return new CallError("OPERATION_NOT_FOUND", `${source} has no operation called "${id}"`, {
    hint: `List the operations of ${source} again, because they may have changed`,
  });
}
