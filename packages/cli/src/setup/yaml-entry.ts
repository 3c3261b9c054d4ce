import { isRecord } from "@waybill/core/schema";
import { isMap, isNode, parseDocument, stringify } from "yaml";
import type { Document } from "yaml";
import { GOOSE, currentEntry, entryState, serverInFile } from "./entry-format.ts";
import { SERVER_NAME } from "./launcher.ts";
import { HASH, blockText, findBlock, markedBlock } from "./marked-block.ts";
import { refuseFile, refuseOtherServer } from "./piece.ts";
import type { Piece } from "./piece.ts";

const LIST = "extensions";

function parseYaml(path: string, text: string): Document {
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error === undefined) return document;
  const why = `is not YAML (${error.message.split("\n", 1)[0]})`;
  throw refuseFile(path, why, "Fix the file, then run this again");
}

function entryIn(path: string, text: string): unknown {
  const file: unknown = parseYaml(path, text).toJS();
  const list = isRecord(file) ? file[LIST] : undefined;
  return isRecord(list) ? list[SERVER_NAME] : undefined;
}

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf("\n", offset - 1) + 1;
}

/** The start of the first item of the list; undefined if the file has no list yet. */
function firstItem(path: string, text: string): number | undefined {
  const document = parseYaml(path, text);
  if (!document.has(LIST)) return undefined;
  const list = document.get(LIST, true);
  const key = isMap(list) && list.flow !== true ? list.items[0]?.key : undefined;
  if (isNode(key) && key.range) return key.range[0];
  const hint = "Add an extension with goose configure first, then run this again";
  throw refuseFile(path, `has no list under ${LIST}`, hint);
}

/**
 * Adds a block to the list, indented like its other items. Without a list, the block contains the
 * list too.
 */
function withEntry(path: string, before: string, entry: unknown): string {
  const clean = withoutBlock(path, before) ?? "";
  const at = firstItem(path, clean);
  if (at === undefined) {
    const content = stringify({ [LIST]: { [SERVER_NAME]: entry } }).trimEnd();
    return markedBlock(path, content, HASH).add(clean);
  }
  const start = lineStart(clean, at);
  const content = stringify({ [SERVER_NAME]: entry }).trimEnd();
  const block = blockText(content, HASH, "\n").replaceAll(/^(?=.)/gm, clean.slice(start, at));
  return clean.slice(0, start) + block + clean.slice(start);
}

function withoutBlock(path: string, text: string): string | undefined {
  const span = findBlock(path, text, HASH);
  const isIndented = span !== undefined && /^[ \t]/.test(text.slice(span.start));
  if (!isIndented) return markedBlock(path, "", HASH).remove(text);
  return text.slice(0, span.start) + text.slice(span.end);
}

/** Waybill's entry among the extensions of Goose. */
export function yamlEntry(path: string, launcher: readonly string[]): Piece {
  const isKept = (text: string): boolean => {
    const state = entryState(GOOSE, entryIn(path, text));
    return state !== "absent" && (state !== "ours" || withoutBlock(path, text) === text);
  };
  return {
    path,
    add(before = "") {
      const entry = entryIn(path, before);
      const state = entryState(GOOSE, entry);
      if (state === "foreign") throw refuseOtherServer(path);
      if (isKept(before)) return before;
      const current = currentEntry(GOOSE, entry, launcher);
      return state === "ours" && JSON.stringify(entry) === JSON.stringify(current)
        ? before
        : withEntry(path, before, current);
    },
    remove: (before) => (isKept(before) ? before : withoutBlock(path, before)),
    keepsOwn: isKept,
    server: (text) => serverInFile(GOOSE, entryIn(path, text)),
  };
}
