import type { FaultMatch, GithubEmulator } from "@waybill/github/emulator";
import type { Mode, Scenario } from "../types.ts";

/** Whether the task is a write, even one that must be refused. */
function isWrite({ writes }: Scenario): boolean {
  return writes !== undefined;
}

/** Describes what goes wrong in the variant `fault`. */
export function getTrouble(scenario: Scenario): string {
  return isWrite(scenario)
    ? "the first write is carried out and its answer lost"
    : "502 to the first request that reads";
}

/**
 * Some programs send several requests at once. For these, the scenario says which request fails.
 */
function faultLocations({ fault = [] }: Scenario, mode: Mode): FaultMatch[] {
  // These modes send exactly the agent's requests, one at a time.
  if (fault.length === 0 || mode.startsWith("graphql")) return [{}];
  return fault.map(({ path, operation }) => ({
    ...(path !== undefined && { path }),
    ...(operation !== undefined && { operation }),
  }));
}

/**
 * Causes one fault in a play. A read gets a 502. A write is applied but its response is lost, so
 * that a naive retry applies it twice.
 */
export function causeTrouble({ faults }: GithubEmulator, scenario: Scenario, mode: Mode): void {
  const places = faultLocations(scenario, mode).map((place) => ({
    ...place,
    isWrite: isWrite(scenario),
  }));
  if (isWrite(scenario)) faults.inject({ kind: "drop", when: "after", match: places });
  else faults.inject({ kind: "status", status: 502, match: places });
}

/** Whether the fault has hit a request. */
export function hasMetTrouble({ requests }: GithubEmulator): boolean {
  return requests.some(({ fault }) => fault !== undefined);
}
