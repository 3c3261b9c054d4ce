import { isRecord } from "@waybill/core/schema";

/** Part of a description: an object with unknown members. */
export type Raw = Record<string, unknown>;

/** Reads a string. The value may be anything, because anyone can write a description. */
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
