/** A partial copy of a value, and how many characters may still be added. */
interface Rest {
  characters: number;
}

function clippedText(text: string, rest: Rest): string {
  const part = text.slice(0, Math.max(0, rest.characters));
  rest.characters -= part.length + 2;
  return part;
}

function clipped(value: unknown, rest: Rest): unknown {
  if (typeof value === "string") return clippedText(value, rest);
  if (typeof value !== "object" || value === null) {
    rest.characters -= 8;
    return value;
  }
  if (Array.isArray(value)) return clippedList(value, rest);
  const copy: [string, unknown][] = [];
  for (const [name, member] of Object.entries(value)) {
    if (rest.characters <= 0) break;
    rest.characters -= name.length + 4;
    copy.push([name, clipped(member, rest)]);
  }
  return Object.fromEntries(copy);
}

function clippedList(list: readonly unknown[], rest: Rest): unknown[] {
  const copy: unknown[] = [];
  for (const item of list) {
    if (rest.characters <= 0) break;
    copy.push(clipped(item, rest));
  }
  return copy;
}

/**
 * Copies about the first `characters` characters of a value's JSON. Removing secrets from the copy
 * is faster than from the whole value.
 */
export function clip(value: unknown, characters: number): unknown {
  return clipped(value, { characters });
}
