import { refuseFile } from "./piece.ts";
import type { Piece } from "./piece.ts";

const MARK = "<!-- Written by waybill setup; waybill setup --remove deletes it. -->";

type Head = Readonly<Record<string, unknown>>;

/** The front matter of a file; an empty string if the file needs none. */
export function frontMatter(head: Head): readonly string[] {
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return lines.length === 0 ? [] : ["---", ...lines, "---", ""];
}

/** A file that belongs to Waybill only, such as its skill for an agent. */
export function ownFile(path: string, head: Head, body: string): Piece {
  const text = [...frontMatter(head), MARK, "", body, ""].join("\n");
  return {
    path,
    add(before) {
      if (before === undefined || before.includes(MARK)) return text;
      throw refuseFile(
        path,
        "was not written by waybill setup",
        "Move the file away, then run this again",
      );
    },
    remove: (before) => (before.includes(MARK) ? undefined : before),
  };
}
