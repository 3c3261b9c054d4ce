import { readFileSync } from "node:fs";
import type { BodySchema } from "./check-body.ts";

interface Operations {
  /** Every operation of GitHub's description, as "GET /repos/{owner}/{repo}". */
  readonly operations: readonly string[];
  /** The body schemas of emulated operations. */
  readonly bodies: Readonly<Record<string, DescribedBody>>;
}

interface DescribedBody {
  readonly required: boolean;
  readonly schema: BodySchema;
}

const OPERATIONS_FILE = new URL("../../../generated/operations.json", import.meta.url);

let loaded: Operations | undefined;

/** GitHub's description of its operations, loaded at the first request. */
export function describedOperations(): Operations {
  loaded ??= JSON.parse(readFileSync(OPERATIONS_FILE, "utf8")) as Operations;
  return loaded;
}
