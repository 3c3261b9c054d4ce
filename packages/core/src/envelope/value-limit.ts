import { fail } from "./call-error.ts";

/** Shorter JSON is not checked, because it cannot have too many values. */
const MIN_COUNTED = 400_000;
const MAX_VALUES = 2_000_000;
/**
 * Limits the number of members, because V8 sorts numeric names each time it lists the members of
 * an object.
 */
const MAX_NAMES = 200_000;

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const OPEN_LIST = 91;
const CLOSE_LIST = 93;
const OPEN = 123;
const CLOSE = 125;

/**
 * The index after the string that starts at a quote. The end of the text if the string does not
 * end.
 */
export function stringEnd(text: string, quote: number): number {
  let end = text.indexOf('"', quote + 1);
  while (end > 0) {
    let slashes = end;
    while (text[slashes - 1] === "\\") slashes -= 1;
    if ((end - slashes) % 2 === 0) return end + 1;
    end = text.indexOf('"', end + 1);
  }
  return text.length;
}

function tooMany(count: string): Error {
  return fail("TOO_LARGE", `The JSON has more than ${count}`, {
    final: true,
    hint: "Request less data",
  });
}

/**
 * Refuses JSON with so many values that checking them would block the process, although the text is
 * within its limit. The text need not be valid JSON.
 */
export function assertValueLimit(text: string): void {
  if (text.length < MIN_COUNTED) return;
  const names: number[] = [0];
  let depth = 0;
  let values = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = stringEnd(text, at) - 1;
    else if (code === COMMA) values += 1;
    else if (code === COLON) {
      if (++names[depth]! > MAX_NAMES) throw tooMany(`${MAX_NAMES} names in one object`);
    } else if (code === OPEN || code === OPEN_LIST) {
      values += 1;
      names[++depth] = 0;
    } else if ((code === CLOSE || code === CLOSE_LIST) && depth > 0) depth -= 1;
    if (values > MAX_VALUES) throw tooMany(`${MAX_VALUES} values`);
  }
}
