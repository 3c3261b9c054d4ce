import { createHash } from "node:crypto";

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([key, member]) => [key, sorted(member)]);
}

/** A hash of a JSON value that ignores the order of members. */
export function hashJson(value: unknown): string {
  return createHash("sha256")
    .update(JSON.stringify(sorted(value)) ?? "")
    .digest("hex")
    .slice(0, 32);
}
