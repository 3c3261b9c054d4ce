import { CallError } from "@waybill/core";
import { nearestNames, parseStrictJson } from "@waybill/core/schema";

type Arguments = Readonly<Record<string, unknown>>;

/** Refuses unknown argument names, which would otherwise be ignored silently. */
export function assertNames(tool: string, args: Arguments, names: readonly string[]): void {
  const wrong = Object.keys(args).filter((name) => !names.includes(name));
  if (wrong.length === 0) return;
  const issues = wrong.map((name) => {
    const [near] = nearestNames(name, names, 1);
    const issue = { path: `/${name}`, message: `is not an argument of ${tool}` };
    return near === undefined ? { ...issue, allowed: names } : { ...issue, did_you_mean: near };
  });
  const message = `${tool} takes ${names.join(", ")}; not ${wrong.join(", ").slice(0, 200)}`;
  throw new CallError("VALIDATION_ERROR", message, { issues, outcome: "not_applied" });
}

/**
 * Parses arguments that models wrote as JSON text instead of objects. Any other text is refused
 * later.
 */
export function unwrapped(name: string, value: unknown): unknown {
  if (typeof value !== "string" || !/^\s*[[{]/u.test(value)) return value;
  return parseStrictJson(value, { what: name });
}
