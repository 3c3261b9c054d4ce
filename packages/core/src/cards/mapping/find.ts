import { nearestNames } from "../../schema/index.ts";
import { MappingError } from "./mapping-error.ts";
import { Pending } from "./pending.ts";
import { MISSING } from "./plain-path.ts";
import type { FindNode, PreparedMapping } from "./prepared-mapping.ts";

type Run = (node: PreparedMapping, value: unknown) => unknown;

interface Entry {
  readonly name: string;
  readonly item: unknown;
}

const MAX_NAMED = 32;

function isName(value: unknown): value is string | number {
  return typeof value === "string" || typeof value === "number";
}

function readEntries(node: FindNode, run: Run, list: unknown, at: string): Entry[] {
  if (!Array.isArray(list))
    throw new MappingError(
      at,
      "cannot be found by its name, because the answer has no list of names. Pass the id, if there is an input for it",
    );
  return (list as unknown[]).flatMap((item) => {
    const name = item === null ? null : run(node.by, item);
    return isName(name) ? [{ name: String(name), item }] : [];
  });
}

/**
 * Accepts a match in another letter case, because upstreams ignore the case of labels and
 * logins.
 */
function entryNamed(entries: readonly Entry[], name: string): Entry | undefined {
  const exact = entries.find((entry) => entry.name === name);
  if (exact !== undefined) return exact;
  const wanted = name.toLowerCase();
  const alike = entries.filter((entry) => entry.name.toLowerCase() === wanted);
  return alike.length === 1 ? alike[0] : undefined;
}

function entryNotFound(name: string, entries: readonly Entry[], at: string): MappingError {
  const names = entries.map((entry) => entry.name);
  return new MappingError(at, `there is no ${JSON.stringify(name.slice(0, 80))}`, {
    allowed: names.slice(0, MAX_NAMED),
    near: nearestNames(name, names, 1)[0],
    code: "VALIDATION",
  });
}

/** Finds a name in a list and returns its value. For a list of names, returns a list. */
export function findValue(node: FindNode, run: Run, value: unknown, at: string): unknown {
  const names = run(node.name, value);
  if (names === MISSING || names === null || names instanceof Pending) return names;
  const list = run(node.list, value);
  if (list instanceof Pending) return list;
  const entries = readEntries(node, run, list, at);
  const one = (name: unknown): unknown => {
    if (!isName(name)) throw new MappingError(at, "must be a name or a list of names");
    const entry = entryNamed(entries, String(name));
    if (entry === undefined) throw entryNotFound(String(name), entries, at);
    const found = run(node.value, entry.item);
    if (found === MISSING)
      throw new MappingError(at, `the entry named ${name} has no such value; choose another entry`);
    return found;
  };
  return Array.isArray(names) ? names.map(one) : one(names);
}
