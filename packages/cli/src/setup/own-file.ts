import { refuseFile } from "./piece.ts";
import type { Piece } from "./piece.ts";

const MARK = "<!-- Written by waybill setup; waybill setup --remove takes it away. -->";

/** A file that is Waybill's alone, such as its folder in an agent's skills. */
export function ownFile(
  path: string,
  head: Readonly<Record<string, unknown>>,
  body: string,
): Piece {
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  const text = ["---", ...lines, "---", "", MARK, "", body, ""].join("\n");
  return {
    path,
    add(before) {
      if (before === undefined || before.includes(MARK)) return text;
      throw refuseFile(path, "is somebody else's", "Move the file away, then run this again");
    },
    remove: (before) => (before.includes(MARK) ? undefined : before),
  };
}
