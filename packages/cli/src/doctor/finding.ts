/**
 * `ok`: works. `off`: not set up and not needed. `missing`: not set up but useful. `broken`: needs
 * a fix.
 */
export type Condition = "ok" | "off" | "missing" | "broken";

/** The result of one check. */
export interface Finding {
  readonly name: string;
  readonly condition: Condition;
  readonly says: string;
  /** How to fix it. */
  readonly fix?: string;
}

export function ok(name: string, says: string): Finding {
  return { name, condition: "ok", says };
}

export function off(name: string, says: string): Finding {
  return { name, condition: "off", says };
}

export function missingFinding(name: string, says: string, fix: string): Finding {
  return { name, condition: "missing", says, fix };
}

export function broken(name: string, says: string, fix: string): Finding {
  return { name, condition: "broken", says, fix };
}

export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
