const SPACE = /^[\s\u0085]$/;

/** Which ends of a string each trim function removes space from. */
const ENDS: Readonly<Record<string, { readonly left: boolean; readonly right: boolean }>> = {
  trim: { left: true, right: true },
  trim_left: { left: true, right: false },
  trim_right: { left: false, right: true },
};

function trimmed(name: string, args: readonly unknown[]): string | undefined {
  const [text, characters = ""] = args;
  const ends = Object.hasOwn(ENDS, name) ? ENDS[name] : undefined;
  if (ends === undefined || typeof text !== "string" || typeof characters !== "string") {
    return undefined;
  }
  const taken = new Set(characters.split(""));
  const isTaken = (at: number): boolean =>
    characters === "" ? SPACE.test(text[at]!) : taken.has(text[at]!);
  let [start, end] = [0, text.length];
  while (ends.left && start < end && isTaken(start)) start += 1;
  while (ends.right && end > start && isTaken(end - 1)) end -= 1;
  return text.slice(start, end);
}

/** Replaces the first occurrences, up to the requested number. */
function replaced(name: string, args: readonly unknown[]): string | undefined {
  const [text, old, by, count] = args;
  if (name !== "replace" || !Number.isInteger(count) || (count as number) <= 0) return undefined;
  if (typeof text !== "string" || typeof old !== "string" || typeof by !== "string") {
    return undefined;
  }
  const parts = text.split(old);
  const most = Math.min(count as number, parts.length - 1);
  return [parts.slice(0, most + 1).join(by), ...parts.slice(most + 1)].join(old);
}

/**
 * Replaces string functions of the library that are too slow or need too much memory: trimming
 * is cubic in the length, and replacing allocates a list of the requested count. Undefined for
 * other functions, and for arguments that the library must refuse.
 */
export function textResult(name: string, args: readonly unknown[]): string | undefined {
  return trimmed(name, args) ?? replaced(name, args);
}
