import type { ProgramHost } from "@waybill/core/protocol";
import type { ThreadPool } from "../sandbox/index.ts";
import type { RunClock } from "./clock.ts";
import type { KeptRun } from "./kept-run.ts";
import type { CodeHost, CodeLimits, CodeOptions } from "./options.ts";

/** Everything that a run needs. */
export interface RunParts {
  readonly host: ProgramHost;
  readonly pool: ThreadPool;
  readonly stores: CodeHost;
  readonly limits: CodeLimits;
  readonly options: CodeOptions;
  readonly kept: KeptRun;
  readonly clock: RunClock;
  /** A saved program may call only these ids. Its writes may be collected by another program. */
  readonly saved?: { readonly calls: readonly string[]; readonly isCollecting: boolean };
  /** Marks calls as made by a program, so that programs in them know how deep they are. */
  readonly nest: <T>(work: () => T) => T;
}

/** A dry run sends no write and shows what it would send. */
export function isDryRun({ options }: RunParts): boolean {
  return options.dry_run === true;
}

/** Whether every write is collected, and none sent. */
export function collectsAll(parts: RunParts): boolean {
  return isDryRun(parts) || parts.saved?.isCollecting === true;
}
