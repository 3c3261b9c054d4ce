import { isRecord } from "@waybill/core/schema";

/** How many list entries and characters remain in a shortened item. */
export interface Size {
  readonly entries: number;
  readonly letters: number;
}

/** From large to the smallest useful size. */
export const SIZES: readonly Size[] = [
  { entries: 64, letters: 400 },
  { entries: 16, letters: 240 },
  { entries: 8, letters: 160 },
  { entries: 4, letters: 100 },
  { entries: 2, letters: 60 },
  { entries: 1, letters: 30 },
];

function shortText(text: string, letters: number): string {
  if (text.length <= letters) return text;
  return `${text.slice(0, letters).replace(/[\uD800-\uDBFF]$/u, "")}…`;
}

function isTooLong(value: unknown, { entries, letters }: Size): boolean {
  return Array.isArray(value)
    ? value.length > entries
    : typeof value === "string" && value.length > letters;
}

/** Marks every shortened object, and gives the original lengths of its lists. */
function shortRecord(value: Readonly<Record<string, unknown>>, size: Size): object {
  const members = Object.entries(value);
  const lists = members.filter(([, member]) => Array.isArray(member) && isTooLong(member, size));
  return {
    ...Object.fromEntries(
      lists.map(([key, list]) => [`${key}Total`, Array.isArray(list) && list.length]),
    ),
    ...Object.fromEntries(members.map(([key, member]) => [key, shorten(member, size)])),
    ...(members.some(([, member]) => isTooLong(member, size)) && { shortened: true }),
  };
}

/** Shortens lists and strings. No list loses its first entry. */
export function shorten(value: unknown, size: Size): unknown {
  if (typeof value === "string") return shortText(value, size.letters);
  if (Array.isArray(value)) return value.slice(0, size.entries).map((each) => shorten(each, size));
  return isRecord(value) ? shortRecord(value, size) : value;
}
