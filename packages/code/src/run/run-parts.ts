import type { ProgramHost } from "@waybill/core/protocol";
import type { ThreadPool } from "../sandbox/index.ts";
import type { RunClock } from "./clock.ts";
import type { KeptRun } from "./kept-run.ts";
import type { CodeHost, CodeLimits, CodeOptions } from "./options.ts";

/** The dependencies of a run. */
export interface RunParts {
  readonly host: ProgramHost;
  readonly pool: ThreadPool;
  /** How many programs are running around this one. */
  readonly level: number;
  readonly stores: CodeHost;
  readonly limits: CodeLimits;
  readonly options: CodeOptions;
  readonly kept: KeptRun;
  readonly clock: RunClock;
  /**
   * Set for a saved program: the ids that it may call, and whether a calling program collects its
   * writes.
   */
  readonly saved?: { readonly calls: readonly string[]; readonly isCollecting: boolean };
}

/** A dry run sends no write and shows what it would send. */
export function isDryRun({ options }: RunParts): boolean {
  return options.dry_run === true;
}

/** Whether every write is collected instead of sent. */
export function collectsAll(parts: RunParts): boolean {
  return isDryRun(parts) || parts.saved?.isCollecting === true;
}
