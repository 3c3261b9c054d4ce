import { isRecord } from "@waybill/core/schema";

/** Part of a description, of which nothing is known but that it is an object. */
export type Raw = Record<string, unknown>;

/** Descriptions are written by anyone: what should be text may be a number, or anything. */
export function textOr(value: unknown, usual: string): string {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : usual;
}

export function asRecord(value: unknown): Raw {
  return isRecord(value) ? value : {};
}

export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}
