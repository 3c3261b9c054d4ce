import { isRecord } from "@waybill/core/schema";

/** A value with one change, and its path. */
export interface Mutant<Value> {
  readonly what: string;
  readonly value: Value;
}

/** Other values of the same type; empty if there are none. */
function otherValues(value: unknown): unknown[] {
  if (typeof value === "string") return [`${value}x`];
  if (typeof value === "number") return [value + 1];
  return typeof value === "boolean" ? [!value] : [];
}

function listMutants(list: readonly unknown[], path: string): Mutant<unknown>[] {
  const within = list.flatMap((item, index) =>
    makeMutants(item, `${path}[${index}]`).map(({ what, value }) => ({
      what,
      value: list.with(index, value),
    })),
  );
  const shorter =
    list.length > 0 ? [{ what: `${path} without its last`, value: list.slice(0, -1) }] : [];
  return [...within, ...shorter];
}

/** Every value that differs in one place. References to other steps stay unchanged. */
export function makeMutants(value: unknown, path = ""): Mutant<unknown>[] {
  if (Array.isArray(value)) return listMutants(value, path);
  if (isRecord(value)) {
    if ("$from" in value) return [];
    return Object.entries(value).flatMap(([name, inner]) =>
      makeMutants(inner, `${path}.${name}`).map((mutant) => ({
        what: mutant.what,
        value: { ...value, [name]: mutant.value },
      })),
    );
  }
  return otherValues(value).map((other) => ({ what: path, value: other }));
}
