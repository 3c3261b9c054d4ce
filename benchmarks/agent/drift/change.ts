/** Who has to live with a change: an input is written by callers, an output is read by them. */
export type Side = "input" | "output";

/** One difference between two schemas, at a place such as `labels[].name`. */
export interface Change {
  readonly side: Side;
  /** Empty for the whole value. */
  readonly path: string;
  readonly what: string;
  readonly isBreaking: boolean;
}

/** Whether more values fit than before, fewer, or neither can be said. */
export type Width = "wider" | "narrower" | "other";

/** A caller breaks when it may send less than before, or has to read more than it knew of. */
export function breaks(side: Side, width: Width): boolean {
  return width === "other" || (width === "narrower") === (side === "input");
}
