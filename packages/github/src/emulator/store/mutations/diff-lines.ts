import type { Side } from "../model.ts";

interface NumberedLine {
  readonly text: string;
  readonly left: number | null;
  readonly right: number | null;
}

/** The lines of a patch with their numbers on both sides. The header of a hunk has no numbers. */
export function numberLines(patch: string): NumberedLine[] {
  let left = 0;
  let right = 0;
  return patch.split("\n").map((text) => {
    const head = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(text);
    if (head !== null) {
      left = Number(head[1]);
      right = Number(head[2]);
      return { text, left: null, right: null };
    }
    if (text.startsWith("\\")) return { text, left: null, right: null };
    if (text.startsWith("+")) return { text, left: null, right: right++ };
    if (text.startsWith("-")) return { text, left: left++, right: null };
    return { text, left: left++, right: right++ };
  });
}

/** The lines from the header of a hunk to this line, as in `diff_hunk`. */
export function hunkAround(patch: string, line: number, side: Side): string | undefined {
  const lines = numberLines(patch);
  const end = lines.findIndex((one) => (side === "LEFT" ? one.left : one.right) === line);
  if (end < 0) return undefined;
  const start = lines.slice(0, end).findLastIndex(({ text }) => text.startsWith("@@"));
  return lines
    .slice(Math.max(start, 0), end + 1)
    .map(({ text }) => text)
    .join("\n");
}

/** The number of lines below the first hunk's header, which REST calls position. */
export function getPosition(patch: string, line: number, side: Side): number | null {
  const lines = numberLines(patch);
  const index = lines.findIndex((one) => (side === "LEFT" ? one.left : one.right) === line);
  return index < 0 ? null : index;
}
