import { fail } from "@waybill/core";
import type { CardFunctions } from "@waybill/core/cards";
import { getNumber, over, stringParam } from "./typed.ts";
import type { Params } from "./typed.ts";

/** A Git object in GraphQL. */
interface GitObject {
  readonly kind: string;
  readonly oid: string;
  readonly byteSize?: number;
  readonly isBinary?: boolean | null;
  readonly isTruncated?: boolean;
  readonly text?: string | null;
  readonly entries?: readonly {
    readonly name: string;
    readonly mode: number;
    readonly size: number;
  }[];
}

/** The content of a path in REST. A folder is a list of these. */
interface Content {
  readonly type: string;
  readonly path: string;
  readonly sha: string;
  readonly size: number;
  readonly encoding?: string;
  readonly content?: string;
}

interface RestTree {
  readonly truncated: boolean;
  readonly tree: readonly {
    readonly path: string;
    readonly mode: string;
    readonly size?: number;
  }[];
}

interface Blob {
  readonly oid: string;
  readonly size: number;
  readonly isBinary: boolean;
  readonly isWhole: boolean;
  readonly text: string | null;
}

interface Entry {
  readonly path: string;
  readonly type: string;
  readonly size: number | null;
}

function requestedPath(params: Params): string {
  return (stringParam(params, "path") ?? "").replace(/(?<!\/)\/+$/u, "");
}

function missingFile(params: Params): Error {
  const ref = stringParam(params, "ref") ?? "the default branch";
  return fail("NOT_FOUND", `There is no ${requestedPath(params) || "commit"} at ${ref}`, {
    hint: "file.list shows the files of a folder",
  });
}

function other(params: Params, what: string, instead: string): Error {
  const message = `${requestedPath(params) || "The root"} is a ${what}`;
  return fail("VALIDATION", message, { hint: `${instead} shows it` });
}

/** Lines `startLine` to `endLine`, counted from 1 and both included. */
function slice(text: string, params: Params): Record<string, unknown> {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const start = getNumber(params, "startLine", 1);
  const end = Math.min(getNumber(params, "endLine", lines.length), lines.length);
  const isAll = start === 1 && end === lines.length;
  const shown = isAll ? text : lines.slice(start - 1, end).join("\n");
  return { lines: lines.length, startLine: start, endLine: end, text: shown };
}

const NO_TEXT = { lines: null, startLine: null, endLine: null, text: null };

function view({ oid, size, isBinary, isWhole, text }: Blob, params: Params): object {
  const part = text === null ? NO_TEXT : slice(text, params);
  return { path: requestedPath(params), oid, size, isBinary, truncated: !isWhole, ...part };
}

function getBlob(object: GitObject | null, params: Params): Blob {
  if (object === null) throw missingFile(params);
  if (object.kind !== "Blob") throw other(params, "folder", "file.list");
  const { oid, byteSize: size = 0, isBinary, isTruncated = false, text = null } = object;
  return { oid, size, isBinary: isBinary ?? false, isWhole: !isTruncated, text };
}

/** The content of a file. Above 1 MB GitHub returns only the size. */
function fileContent(content: Content | readonly Content[], params: Params): Blob {
  if (!("type" in content)) throw other(params, "folder", "file.list");
  const { sha: oid, size, encoding } = content;
  if (encoding !== "base64") return { oid, size, isBinary: false, isWhole: false, text: null };
  const bytes = Buffer.from(content.content ?? "", "base64");
  const isBinary = bytes.includes(0);
  return { oid, size, isBinary, isWhole: true, text: isBinary ? null : bytes.toString("utf8") };
}

const FOLDER = 0o040000;

const TYPES: Readonly<Record<number, string>> = {
  [FOLDER]: "DIR",
  0o120000: "SYMLINK",
  0o160000: "SUBMODULE",
};

function entry(path: string, mode: number, size: number | undefined): Entry {
  const type = TYPES[mode] ?? "FILE";
  return { path, type, size: type === "FILE" ? (size ?? null) : null };
}

function sortedEntries(entries: readonly Entry[]): Entry[] {
  return entries.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

function treeContent(object: GitObject | null, params: Params): object {
  if (object === null) throw missingFile(params);
  if (object.kind !== "Tree") throw other(params, "file", "file.view");
  const folder = requestedPath(params);
  const items = (object.entries ?? []).map(({ name, mode, size }) =>
    entry(folder === "" ? name : `${folder}/${name}`, mode, size),
  );
  return { items: sortedEntries(items), truncated: false };
}

/** GitHub lists at most this many entries of a folder; there may be more. */
const MAX_ENTRIES = 1_000;

function folderContent(contents: Content | readonly Content[], params: Params): object {
  if ("type" in contents) throw other(params, "file", "file.view");
  const items = contents.map(({ path, type, size }) => ({
    path,
    type: type.toUpperCase(),
    size: type === "file" ? size : null,
  }));
  return { items: sortedEntries(items), truncated: contents.length >= MAX_ENTRIES };
}

/** The entries of a recursive tree below the path. */
function restTree({ tree, truncated }: RestTree, params: Params): object {
  const folder = requestedPath(params);
  const within = tree.filter(({ path }) => folder === "" || path.startsWith(`${folder}/`));
  if (within.length === 0 && folder !== "" && !truncated) throw missingFile(params);
  const items = within.map(({ path, mode, size }) => entry(path, Number.parseInt(mode, 8), size));
  return { items: sortedEntries(items), truncated };
}

/** The hash of the file that a commit replaces. GitHub answers with a list for a folder. */
function replacedHash(content: Content | readonly Content[]): string {
  if ("type" in content) return content.sha;
  throw fail("VALIDATION", "The path of the file is a folder", {
    outcome: "not_applied",
    hint: "file.list shows its files",
  });
}

export const fileFunctions: CardFunctions = {
  blobView: over((object: GitObject | null, params) => view(getBlob(object, params), params)),
  contentView: over((content: Content | readonly Content[], params) =>
    view(fileContent(content, params), params),
  ),
  replacedHash: over(replacedHash),
  treeList: over(treeContent),
  folderList: over(folderContent),
  restTreeList: over(restTree),
};
