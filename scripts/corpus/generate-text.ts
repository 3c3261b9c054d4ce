import { sample, stringMatching } from "fast-check";

const matched = new Map<string, string | undefined>();

/**
 * A text that matches a pattern and lengths, if one was found. Cached, because patterns repeat
 * thousands of times.
 */
export function matchingText(pattern: string, least: number, most: number): string | undefined {
  const key = `${least} ${most} ${pattern}`;
  if (!matched.has(key)) matched.set(key, findMatch(pattern, least, most));
  return matched.get(key);
}

/** Undefined if the pattern is not valid in JSON Schema. Such a pattern is not checked. */
function expressionFor(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern, "u");
  } catch {
    return undefined;
  }
}

function findMatch(pattern: string, least: number, most: number): string | undefined {
  const expression = expressionFor(pattern);
  if (expression === undefined) return "a".padEnd(least, "a").slice(0, most);
  const matches = (text: string): boolean =>
    text.length >= least && text.length <= most && expression.test(text);
  const plain = PLAIN.flatMap((text) => [text, text.padEnd(least, text || "a")]).find(matches);
  if (plain !== undefined) return plain;
  try {
    const texts = sample(stringMatching(expression), { seed: 1, numRuns: 300 });
    return texts.find((text) => matches(text) && isPrintable(text)) ?? texts.find(matches);
  } catch {
    // The string generator does not support every expression.
    return undefined;
  }
}

/** Whether the text may also be sent in a header. */
function isPrintable(text: string): boolean {
  return /^[\u0020-\u007e]*$/u.test(text);
}

/** Patterns with a fixed string, because the generator would take too long to find one. */
const PLAIN = [
  "a",
  "A",
  "1",
  "ab-1",
  "a1b2c3",
  "12:34",
  "2026-01-01",
  "a/b",
  "a.b",
  "a:b",
  "1.2.3.4",
  "a@b.co",
  "https://h/x",
  "",
  "9b2b1c1e-7a1c-4c1e-8f57-111111111111",
  "example.com",
  "Abcdef1!x",
  "st-abcdefghijklm",
  "P1D",
  "arn:aws:s3:::bucket",
  "arn:aws:fsx:us-east-1:123456789012:file-system/fs-0123456789abcdef0",
  "arn:aws:iam::123456789012:role/abcdefghijklmnop",
];
/** Strings of well-known formats. */
export const FORMATS: Readonly<Record<string, string>> = {
  date: "2026-01-31",
  "date-time": "2026-01-31T10:00:00Z",
  uuid: "9b2b1c1e-7a1c-4c1e-8f57-111111111111",
  email: "a@example.com",
  uri: "https://example.com/a?b=c",
  byte: "aGk=",
};
