import { isLargeInteger, setOwn } from "../envelope/index.ts";
import { normalise, pointerKey } from "../schema/index.ts";
import type { CompiledSchema } from "../schema/index.ts";
import type { Entry } from "./entry.ts";

type Path = readonly string[];

const MAX_PATHS = 20;
const MAX_DEPTH = 100;

/** The positions in an input of integers, written as digits, that are too large for a number. */
function digitPaths(value: unknown, path: Path = [], found: Path[] = []): Path[] {
  if (found.length >= MAX_PATHS || path.length > MAX_DEPTH) return found;
  if (typeof value === "string") {
    if (isLargeInteger(value)) found.push(path);
  } else if (typeof value === "object" && value !== null) {
    for (const [key, member] of Object.entries(value)) digitPaths(member, [...path, key], found);
  }
  return found;
}

/** A copy of a value in which the digits at a path are replaced by a number. */
function withNumber(value: unknown, [key, ...rest]: Path): unknown {
  if (key === undefined) return Number(value);
  const copy = Array.isArray(value) ? [...(value as unknown[])] : { ...(value as object) };
  const members = copy as Record<string, unknown>;
  setOwn(members, key, withNumber(members[key], rest));
  return copy;
}

/**
 * A warning for each integer beyond 2^53 that is sent as a string of its digits, because the
 * description does not say whether it is an integer or a string.
 */
export function untypedDigits(
  { spec }: Entry,
  schema: CompiledSchema | undefined,
  input: unknown,
): readonly string[] {
  if (spec.source === undefined) return [];
  const paths = digitPaths(input);
  if (paths.length === 0) return [];
  // Converts the other strings of digits first, so that the check is about one of them.
  const { value: numbers, changes } =
    schema === undefined || spec.takesDigits !== true
      ? { value: input, changes: [] }
      : normalise(schema.schema, input, { digits: "number" });
  const sentExactly = new Set(changes.map(({ path }) => path));
  return paths.flatMap((path) => {
    const pointer = path.map(pointerKey).join("");
    const isTyped = schema !== undefined && !schema.check(withNumber(numbers, path));
    if (isTyped || sentExactly.has(pointer)) return [];
    return [`${pointer} is sent as a string of digits: ${spec.id} does not say what type it has`];
  });
}
