import { parseSync, visitorKeys } from "oxc-parser";
import { isRecord } from "@waybill/core/schema";

/** The last file is cached, because all names of one file are checked in a row. */
let last: { readonly text: string; readonly starts: ReadonlySet<number> } | undefined;
const MAX_NODES = 2_000_000;

/** Whether the name at a position is both key and value of a property: `{ name }`. */
export function shorthandAt(path: string, text: string, line: number, column: number): boolean {
  if (last?.text !== text) last = { text, starts: shorthandsIn(path, text) };
  let start = 0;
  for (let at = 1; at < line; at++) start = text.indexOf("\n", start) + 1;
  return last.starts.has(start + column);
}

function shorthandsIn(path: string, text: string): Set<number> {
  const starts = new Set<number>();
  const open: unknown[] = [parseSync(path, text).program];
  for (let seen = 0; open.length > 0 && seen < MAX_NODES; seen++) {
    const node = open.pop();
    if (!isRecord(node)) continue;
    if (node["type"] === "Property" && node["shorthand"] === true && isRecord(node["key"])) {
      starts.add(Number(node["key"]["start"]));
    }
    for (const name of visitorKeys[String(node["type"])] ?? []) {
      const child = node[name];
      if (Array.isArray(child)) open.push(...(child as unknown[]));
      else open.push(child);
    }
  }
  return starts;
}
