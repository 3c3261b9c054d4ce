import { fail } from "@waybill/core";

const CURSOR = /^g1\.([0-9a-z]{1,7})\.(\d{1,9})$/u;

/** FNV-1a hash: stable between runs, and enough to detect a cursor of another question. */
export function textHash(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0).toString(36);
}

/** Identifies the question. Page size and token limit may differ between pages. */
function getQuestion(tool: string, input: Readonly<Record<string, unknown>>): string {
  const { cursor: _cursor, maxTokens: _maxTokens, limit: _limit, ...asked } = input;
  const sorted = Object.entries(asked).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return textHash(JSON.stringify([tool, sorted]));
}

export function formatCursor(
  tool: string,
  input: Readonly<Record<string, unknown>>,
  offset: number,
): string {
  return `g1.${getQuestion(tool, input)}.${offset}`;
}

/** The number of items on earlier pages; 0 without a cursor. */
export function cursorOffset(tool: string, input: Readonly<Record<string, unknown>>): number {
  const { cursor } = input;
  if (typeof cursor !== "string") return 0;
  const [, question, offset] = CURSOR.exec(cursor) ?? [];
  if (offset !== undefined && question === getQuestion(tool, input)) return Number(offset);
  throw fail("VALIDATION", "The cursor belongs to another question", {
    issues: [{ path: "/cursor", message: "belongs to another question" }],
    hint: "Pass a cursor unchanged with the same inputs, or leave it out to start from the beginning",
  });
}
