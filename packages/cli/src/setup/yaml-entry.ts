import { isRecord } from "@waybill/core/schema";
import { isMap, isNode, parseDocument, stringify } from "yaml";
import type { Document, Pair, YAMLMap } from "yaml";
import { GOOSE, currentEntry, entryState, serverInFile, startsThisCopy } from "./entry-format.ts";
import { SERVER_NAME } from "./launcher.ts";
import { refuseFile, refuseOtherServer } from "./piece.ts";
import type { Piece } from "./piece.ts";
import { assertSameRest } from "./assert-same-rest.ts";
import { withSpan } from "./text-span.ts";
import type { Span } from "./text-span.ts";

const LIST = "extensions";

function refuseYaml(path: string, error: Error): Error {
  const why = `is not YAML (${error.message.split("\n", 1)[0]})`;
  return refuseFile(path, why, "Fix the file, then run this again");
}

function parseYaml(path: string, text: string): Document {
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error === undefined) return document;
  throw refuseYaml(path, error);
}

/** The values of the document. Throws if an alias has no anchor, or if there are too many. */
function readValues(path: string, text: string): unknown {
  const document = parseYaml(path, text);
  try {
    return document.toJS();
  } catch (thrown) {
    throw refuseYaml(path, thrown as Error);
  }
}

function settingsIn(path: string, text: string): Readonly<Record<string, unknown>> {
  const file = readValues(path, text) ?? {};
  if (isRecord(file)) return file;
  throw refuseFile(path, "is not a YAML object", "Make it an object, then run this again");
}

function entryIn(path: string, text: string): unknown {
  const list = settingsIn(path, text)[LIST];
  return isRecord(list) ? list[SERVER_NAME] : undefined;
}

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf("\n", offset - 1) + 1;
}

function memberName({ key }: Pair): unknown {
  return isNode(key) ? key.toJSON() : undefined;
}

function keyStart(pair: Pair | undefined): number | undefined {
  return isNode(pair?.key) ? pair.key.range?.[0] : undefined;
}

/** The lines of a member, which has a block of lines as its value. */
function memberSpan(text: string, map: YAMLMap, name: string): Span | undefined {
  const pair = map.items.find((each) => memberName(each) === name);
  const key = keyStart(pair);
  if (map.flow === true || key === undefined || !isMap(pair?.value)) return undefined;
  const end = pair.value.range?.[1] ?? key;
  return { start: lineStart(text, key), end: text.slice(0, end).trimEnd().length };
}

/** The extensions; undefined if the file has none yet. */
function listIn(path: string, text: string): YAMLMap | undefined {
  const document = parseYaml(path, text);
  if (!document.has(LIST)) return undefined;
  const list = document.get(LIST, true);
  if (isMap(list) && list.flow !== true && list.items.length > 0) return list;
  const hint = "Add an extension with goose configure first, then run this again";
  throw refuseFile(path, `has no list under ${LIST}`, hint);
}

function lines(value: unknown, eol: string, indent = ""): string {
  return stringify(value).trimEnd().replaceAll(/^/gm, indent).replaceAll("\n", eol);
}

/** Adds the entry before the other extensions, indented like them, or adds the list too. */
function withEntry(path: string, text: string, entry: unknown): string {
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const list = listIn(path, text);
  const first = keyStart(list?.items[0]);
  if (list === undefined || first === undefined) {
    return withSpan(text, undefined, lines({ [LIST]: { [SERVER_NAME]: entry } }, eol));
  }
  const start = lineStart(text, first);
  const content = lines({ [SERVER_NAME]: entry }, eol, text.slice(start, first));
  const found = memberSpan(text, list, SERVER_NAME);
  if (found !== undefined) return withSpan(text, found, content);
  return text.slice(0, start) + content + eol + text.slice(start);
}

/** Removes the entry, and the list if nothing else is in it. */
function withoutEntry(path: string, text: string): string {
  const list = listIn(path, text);
  const span = list && memberSpan(text, list, SERVER_NAME);
  const document = parseYaml(path, text).contents;
  if (list?.items.length === 1 && isMap(document)) {
    return withSpan(text, memberSpan(text, document, LIST), undefined);
  }
  const after = span && text.slice(span.end).replace(/^\r?\n/, "");
  return span === undefined ? text : text.slice(0, span.start) + after;
}

/** Waybill's entry among the extensions of Goose, which deletes all comments when it writes. */
export function yamlEntry(path: string, launcher: readonly string[]): Piece {
  const checked = (before: string, after: string): string => {
    assertSameRest({ path, at: [LIST], before, after }, settingsIn);
    return after;
  };
  const isKept = (text: string): boolean =>
    ["edited", "foreign"].includes(entryState(GOOSE, entryIn(path, text)));
  return {
    path,
    add(before = "") {
      const entry = entryIn(path, before);
      if (entryState(GOOSE, entry) === "foreign") throw refuseOtherServer(path);
      if (isKept(before) || startsThisCopy(GOOSE, entry, launcher)) return before;
      return checked(before, withEntry(path, before, currentEntry(GOOSE, entry, launcher)));
    },
    remove(before) {
      if (entryState(GOOSE, entryIn(path, before)) !== "ours") return before;
      const after = checked(before, withoutEntry(path, before));
      return after === "" ? undefined : after;
    },
    keepsOwn: isKept,
    server: (text) => serverInFile(GOOSE, entryIn(path, text)),
  };
}
