const ID = String.raw`(\d{1,15}|"(?:[^"\\]|\\.){0,200}")`;
const VERSION = String.raw`"jsonrpc"\s*:\s*"2\.0"`;
const FIRST = new RegExp(String.raw`^\s*\{\s*(?:${VERSION}\s*,\s*)?"id"\s*:\s*${ID}\s*,`, "u");
const LAST = new RegExp(String.raw`[,{]\s*"id"\s*:\s*${ID}\s*(?:,\s*${VERSION}\s*)?\}\s*$`, "u");

/**
 * The id of a message of which only the two ends are known. The id must be the first or the last
 * member, because an id further inside belongs to another object.
 */
export function messageIdIn(head: string, tail: string): string | number | undefined {
  const text = FIRST.exec(head)?.[1] ?? LAST.exec(tail)?.[1];
  return text === undefined ? undefined : (JSON.parse(text) as string | number);
}
