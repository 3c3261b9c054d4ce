import type { GithubEmulator } from "@waybill/github/emulator";
import type { Scenario } from "../types.ts";

const WRITES = ["POST", "PATCH", "PUT", "DELETE"] as const;
const NOT_GRAPHQL = /^(?!\/graphql$)/;

/** What goes wrong in the variant `fault`, in words. */
export function troubleOf({ fault }: Scenario): string {
  return fault === undefined ? "502 to the first request" : `the answer of ${fault} gets lost`;
}

/**
 * A read meets one 502. The first write is carried out and its answer lost, which is the case in
 * which trying again applies it twice; on REST it is the first request that may write.
 */
export function causeTrouble({ faults }: GithubEmulator, { fault }: Scenario): void {
  if (fault === undefined) {
    faults.inject({ kind: "status", status: 502 });
    return;
  }
  faults.inject({ kind: "drop", when: "after", match: { operation: fault } });
  for (const method of WRITES) {
    faults.inject({ kind: "drop", when: "after", match: { method, path: NOT_GRAPHQL } });
  }
}
