/** The side of a schema: callers write inputs and read outputs. */
export type Side = "input" | "output";

/** One difference between two schemas, at a place such as `labels[].name`. */
export interface Change {
  readonly side: Side;
  /** The path in the value; empty for the whole value. */
  readonly path: string;
  readonly what: string;
  readonly isBreaking: boolean;
}

/** Whether a schema allows more values than before, fewer, or whether that is unknown. */
export type Width = "wider" | "narrower" | "other";

/** A change breaks callers if they may send less than before, or must read more than before. */
export function breaks(side: Side, width: Width): boolean {
  return width === "other" || (width === "narrower") === (side === "input");
}
