import { readFileSync } from "node:fs";
import type { BodySchema } from "./check-body.ts";

interface Operations {
  /** Every operation of GitHub's description, as "GET /repos/{owner}/{repo}". */
  readonly operations: readonly string[];
  /** What a request to a served operation must look like. */
  readonly bodies: Readonly<Record<string, DescribedBody>>;
}

interface DescribedBody {
  readonly required: boolean;
  readonly schema: BodySchema;
}

const OPERATIONS_FILE = new URL("../../../generated/operations.json", import.meta.url);

let loaded: Operations | undefined;

/** What GitHub's description says of its operations, read when the first request comes. */
export function describedOperations(): Operations {
  loaded ??= JSON.parse(readFileSync(OPERATIONS_FILE, "utf8")) as Operations;
  return loaded;
}
