import { isRecord } from "../envelope/index.ts";

const MAX_DEPTH = 200;

/** A quantifier without an upper end at this place. */
function isEndless(pattern: string, at: number): boolean {
  const sign = pattern[at];
  if (sign === "+" || sign === "*") return true;
  return sign === "{" && /^\{\d+,\}/.test(pattern.slice(at, at + 12));
}

/**
 * Whether something that repeats without end stands within something that does: on a text that
 * nearly fits, such a pattern can try longer than anyone will wait, and nothing can stop it.
 */
export function isExplosive(pattern: string): boolean {
  const groups: boolean[] = [false];
  let isInClass = false;
  for (let at = 0; at < pattern.length; at++) {
    const sign = pattern[at];
    if (sign === "\\") at += 1;
    else if (isInClass) isInClass = sign !== "]";
    else if (sign === "[") isInClass = true;
    else if (sign === "(") groups.push(false);
    else if (sign === ")") {
      const repeats = groups.pop() ?? false;
      const isRepeated = isEndless(pattern, at + 1);
      if (repeats && isRepeated) return true;
      groups[groups.length - 1] ||= repeats || isRepeated;
    } else if (isEndless(pattern, at)) groups[groups.length - 1] = true;
  }
  return false;
}

function cleaned(value: unknown, depth: number): unknown {
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) return value.map((item) => cleaned(item, depth + 1));
  const entries = Object.entries(value).filter(
    ([key, member]) => key !== "pattern" || typeof member !== "string" || !isExplosive(member),
  );
  return Object.fromEntries(entries.map(([key, member]) => [key, cleaned(member, depth + 1)]));
}

/** A schema of somebody else's without the patterns that could stop this process. */
export function withoutExplosivePatterns<Schema>(schema: Schema): Schema {
  if (!isRecord(schema) || !JSON.stringify(schema).includes('"pattern"')) return schema;
  return cleaned(schema, 0) as Schema;
}
