import { isRecord } from "../envelope/index.ts";

/** Text that starts like JSON but is invalid is an error, not an item of a list. */
const LIKE_JSON = /^\s*[[{"]/u;

function isWord(value: unknown): boolean {
  return typeof value === "string" && !value.includes(",");
}

/** Whether no item can contain a comma, because each is one of some words, or a number. */
function arePlain(items: unknown): boolean {
  if (!isRecord(items)) return false;
  const { enum: allowed, type } = items;
  if (Array.isArray(allowed)) return allowed.every(isWord);
  return type === "integer" || type === "number";
}

/**
 * Reads a text as a list: the text itself is the only item, or its parts between commas are the
 * items. Undefined if it is not clear which of the two is meant.
 */
export function itemsIn(text: string, items: unknown): readonly string[] | undefined {
  if (text.trim() === "" || LIKE_JSON.test(text)) return undefined;
  if (!text.includes(",")) return [text];
  return arePlain(items) ? text.split(",").map((item) => item.trim()) : undefined;
}
