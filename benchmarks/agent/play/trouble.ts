import type { FaultMatch, GithubEmulator } from "@waybill/github/emulator";
import type { Mode, Scenario } from "../types.ts";

/** Whether the task is to change something, be it that this has to be refused. */
function isWrite({ writes }: Scenario): boolean {
  return writes !== undefined;
}

/** Describes the trouble of the variant `fault`. */
export function getTrouble(scenario: Scenario): string {
  return isWrite(scenario)
    ? "the first write is carried out and its answer lost"
    : "502 to the first request that reads";
}

/** Some programs send several requests at a time; the scenario says then which of them it is. */
function faultLocations({ fault = [] }: Scenario, mode: Mode): FaultMatch[] {
  // These modes send exactly the agent's requests, one after the other.
  if (fault.length === 0 || mode.startsWith("graphql")) return [{}];
  return fault.map(({ path, operation }) => ({
    ...(path !== undefined && { path }),
    ...(operation !== undefined && { operation }),
  }));
}

/**
 * One fault a play. A read meets a 502; of a write the answer gets lost after the work was done, which
 * is the case in which trying again applies it twice.
 */
export function causeTrouble({ faults }: GithubEmulator, scenario: Scenario, mode: Mode): void {
  const places = faultLocations(scenario, mode).map((place) => ({
    ...place,
    isWrite: isWrite(scenario),
  }));
  if (isWrite(scenario)) faults.inject({ kind: "drop", when: "after", match: places });
  else faults.inject({ kind: "status", status: 502, match: places });
}

/** Whether the fault has met a request. */
export function hasMetTrouble({ requests }: GithubEmulator): boolean {
  return requests.some(({ fault }) => fault !== undefined);
}
