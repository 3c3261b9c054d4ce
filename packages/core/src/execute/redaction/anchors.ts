import { WIDTH } from "./secret-forms.ts";
import type { SecretForm } from "./secret-forms.ts";

/** Most encodings leave letters and digits unchanged. The others change every character. */
const UNCHANGED = /[A-Za-z0-9]+/gu;
const MIN_ANCHOR = 4;
const MAX_ANCHOR = 12;
/** The shortest line length of wrapped base64 and quoted-printable. */
const MIN_LINE = 60;

/** Separators between two bytes of a hex dump. */
const SEPARATORS = [" ", ":", "-", ",", ", ", " 0x", ",0x", ", 0x"];
const DUMP_BYTES = 4;

/**
 * Splits a run of letters and digits into parts. Even if line breaks split the run, at least one
 * part stays whole.
 */
function splitRun(run: string): string[] {
  const count = run.length < 2 * MIN_ANCHOR ? 1 : 2 + Math.floor(run.length / MIN_LINE);
  const step = Math.floor(run.length / count);
  const size = Math.min(MAX_ANCHOR, Math.max(MIN_ANCHOR, step));
  return Array.from({ length: count }, (_, index) => {
    const start = Math.min(index * step, run.length - size);
    return run.slice(start, start + size);
  });
}

function inFullWidth(text: string): string {
  return text.replaceAll(/[!-~]/gu, (each) => String.fromCharCode(each.charCodeAt(0) + WIDTH));
}

/**
 * The first four bytes of a hex dump and the next four, written as pairs of digits or in groups
 * of four.
 */
function dumpAnchors(hex: string): string[] {
  const pairs = hex.match(/../gu) ?? [];
  return [pairs.slice(0, DUMP_BYTES), pairs.slice(DUMP_BYTES, 2 * DUMP_BYTES)].flatMap((some) => [
    ...SEPARATORS.map((separator) => some.join(separator)),
    some.join("").replace(/^.{4}/u, "$& "),
  ]);
}

/**
 * Short strings to search for first. Every text that contains the secret contains one of them,
 * except if every character is escaped.
 */
export function findAnchors({ text, kind }: SecretForm): string[] {
  const runs = text.match(UNCHANGED) ?? [];
  const longest = runs.reduce((best, run) => (run.length > best.length ? run : best), "");
  if (longest.length < MIN_ANCHOR) return [];
  const parts = splitRun(longest);
  if (kind === "hex") return [...parts, ...dumpAnchors(text)];
  return kind === "plain" ? [...parts, ...parts.map(inFullWidth)] : parts;
}
