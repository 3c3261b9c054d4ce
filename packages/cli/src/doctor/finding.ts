/** `ok` works; `off` is not there and not needed; `missing` would be of use; `broken` is in the way. */
export type Condition = "ok" | "off" | "missing" | "broken";

/** One thing that was looked at. */
export interface Finding {
  readonly name: string;
  readonly condition: Condition;
  readonly says: string;
  /** The fix. */
  readonly mend?: string;
}

export function ok(name: string, says: string): Finding {
  return { name, condition: "ok", says };
}

export function off(name: string, says: string): Finding {
  return { name, condition: "off", says };
}

export function missing(name: string, says: string, mend: string): Finding {
  return { name, condition: "missing", says, mend };
}

export function broken(name: string, says: string, mend: string): Finding {
  return { name, condition: "broken", says, mend };
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
