import { isRecord } from "@waybill/core/schema";
import type { ObjectSchema } from "./object-schema.ts";

/** Property names that every provider accepts. */
const FITTING = /^[a-zA-Z0-9_.-]{1,64}$/u;

/**
 * Removes unsupported names inside the schema, because only top-level names can be renamed and
 * mapped back.
 */
function fitted(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(fitted);
  if (!isRecord(schema)) return schema;
  const copy: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(schema)) {
    const isNames = key === "required" && Array.isArray(value);
    if (key === "properties" && isRecord(value)) Object.assign(copy, fittedProperties(value));
    else copy[key] = isNames ? value.filter(isFitting) : fitted(value);
  }
  return copy;
}

function isFitting(name: unknown): boolean {
  return typeof name === "string" && FITTING.test(name);
}

/** Removes empty `properties`, because some providers refuse them. */
function fittedProperties(value: Readonly<Record<string, unknown>>): object {
  const properties = fittedMembers(value);
  const isEmptied = Object.keys(properties).length === 0 && Object.keys(value).length > 0;
  return isEmptied ? {} : { properties };
}

function fittedMembers(members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const fitting = Object.entries(members).filter(([name]) => FITTING.test(name));
  return Object.fromEntries(fitting.map(([name, member]) => [name, fitted(member)]));
}

export interface NamedInput {
  readonly schema: ObjectSchema;
  /** Converts the arguments of a call back to the operation's names. */
  original(args: Readonly<Record<string, unknown>>): Record<string, unknown>;
}

function namesFor(names: readonly string[]): Map<string, string> {
  const taken = new Set(names.filter((name) => FITTING.test(name)));
  const shown = new Map<string, string>();
  for (const name of names) {
    let fit = FITTING.test(name) ? name : name.replaceAll(/[^\w.-]/gu, "_").slice(0, 60) || "_";
    while (fit !== name && taken.has(fit)) fit += "_";
    taken.add(fit);
    shown.set(name, fit);
  }
  return shown;
}

/** Renames inputs to names that providers accept, and returns the function that maps them back. */
export function withFittingNames({ properties, required, ...rest }: ObjectSchema): NamedInput {
  const shown = namesFor(Object.keys(properties));
  const known = new Map([...shown].map(([name, fit]) => [fit, name]));
  const members = Object.entries(properties).map(([name, member]) => [
    shown.get(name)!,
    fitted(member),
  ]);
  return {
    schema: {
      ...rest,
      properties: Object.fromEntries(members) as Record<string, unknown>,
      ...(required !== undefined && { required: required.map((name) => shown.get(name)!) }),
    },
    original: (args) =>
      Object.fromEntries(
        Object.entries(args).map(([key, value]) => [known.get(key) ?? key, value]),
      ),
  };
}
