import { isRecord } from "../envelope/index.ts";

/** Text that begins like JSON but is none is a mistake, not an item of a list. */
const LIKE_JSON = /^\s*[[{"]/u;

function isWord(value: unknown): boolean {
  return typeof value === "string" && !value.includes(",");
}

/** No item can have a comma in it: each is one of some words, or a number. */
function arePlain(items: unknown): boolean {
  if (!isRecord(items)) return false;
  const { enum: allowed, type } = items;
  if (Array.isArray(allowed)) return allowed.every(isWord);
  return type === "integer" || type === "number";
}

/**
 * The items that a text stands for where a list is wanted: itself, or what its commas part. Undefined
 * where it cannot be told which of the two is meant.
 */
export function itemsIn(text: string, items: unknown): readonly string[] | undefined {
  if (text.trim() === "" || LIKE_JSON.test(text)) return undefined;
  if (!text.includes(",")) return [text];
  return arePlain(items) ? text.split(",").map((item) => item.trim()) : undefined;
}
