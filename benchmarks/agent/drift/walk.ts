import { isRecord } from "@waybill/core/schema";
import type { Side, Width } from "./change.ts";

export type Schema = Readonly<Record<string, unknown>>;

/** The parts of a comparison share this: where to report, and how to descend into a member. */
export interface Walk {
  readonly side: Side;
  readonly report: (path: string, what: string, width: Width) => void;
  readonly into: (before: unknown, after: unknown, path: string) => void;
}

const SHOWN = 60;

/** `true` or an absent schema allows everything; `false` allows nothing. */
export function asSchema(value: unknown): Schema {
  if (isRecord(value)) return value;
  return value === false ? { not: {} } : {};
}

export function jsonText(value: unknown): string {
  if (value === undefined) return "none";
  const text = JSON.stringify(value);
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}

export function sameText(before: unknown, after: unknown): boolean {
  return JSON.stringify(before) === JSON.stringify(after);
}
