import { readdir } from "node:fs/promises";
import { basename, dirname, extname, isAbsolute, join, resolve } from "node:path";
import { fail } from "@waybill/core";

// Finds the files that the text of a manifest or of a command line names. If such a file changes,
// its source needs trust again, so a file must be found however its name is written.

/** How deeply folders are searched for files that a text names. */
const MAX_DEPTH = 8;
/** Longer manifests are refused, because no word of them may be overlooked. */
const MAX_WORDS = 100_000;

/** Matches everything in a text that may be a path. */
export function pathWords(text: string): string[] {
  return text.match(/[\w@.+~/-]+/gu) ?? [];
}

/** The endings of scripts, and of libraries that a program loads. */
const CODE_ENDS =
  "js mjs cjs jsx ts mts cts tsx py rb pl lua php ps1 bat cmd sh bash zsh fish ksh jar wasm so dll node".split(
    " ",
  );

function nameEnd(name: string): string {
  return extname(name).slice(1).toLowerCase();
}

/** Whether a file is a script or a library, by its name. */
export function isCode(path: string): boolean {
  return CODE_ENDS.includes(nameEnd(path));
}

/** The names of a file, which a program may complete: `node server` runs `server.js`. */
function completedNames(name: string): string[] {
  return [name, ...CODE_ENDS.map((end) => `${name}.${end}`)];
}

/** The files that a program runs if it is given a folder. */
const ENTRIES = [...completedNames("index"), "__main__.py"];

/** A name in one form, because a file system may ignore case and how a letter is composed. */
function folded(name: string): string {
  return name.normalize().toLowerCase();
}

/** The names in a folder, by their folded form. */
type Names = ReadonlyMap<string, readonly string[]>;

function groupNames(names: readonly string[]): Names {
  const groups = new Map<string, string[]>();
  for (const name of names) {
    const group = groups.get(folded(name));
    if (group === undefined) groups.set(folded(name), [name]);
    else group.push(name);
  }
  return groups;
}

/** Lists each folder once, because many words are names in the same folder. */
class Folders {
  readonly #names = new Map<string, Promise<Names | undefined>>();

  list(folder: string): Promise<Names | undefined> {
    const known = this.#names.get(folder);
    if (known !== undefined) return known;
    const names = readdir(folder).then(groupNames, () => undefined);
    this.#names.set(folder, names);
    return names;
  }

  /**
   * The paths of the names that exist in a folder. If the folder cannot be listed, all names are
   * returned, because a file that does not exist adds nothing to a digest.
   */
  async find(folder: string, wanted: readonly string[]): Promise<string[]> {
    const names = await this.list(folder);
    const found =
      names === undefined ? wanted : wanted.flatMap((name) => names.get(folded(name)) ?? []);
    return [...new Set(found)].map((name) => join(folder, name));
  }
}

/** The existing files that a word may name in a folder. */
async function filesOfWord(folder: string, word: string, folders: Folders): Promise<string[]> {
  const path = resolve(folder, word);
  const found = await folders.find(dirname(path), completedNames(basename(path)));
  const isThere = found.some((each) => folded(each) === folded(path));
  return isThere ? [...found, ...(await folders.find(path, ENTRIES))] : found;
}

/** The paths of the files that the words name in one of the folders. */
export async function filesAmong(
  words: readonly string[],
  folders: readonly string[],
): Promise<string[]> {
  const all = [...new Set(words)];
  if (all.length > MAX_WORDS) {
    throw fail(
      "VALIDATION",
      `A command or manifest of more than ${MAX_WORDS} words is not supported; put its arguments into a script`,
    );
  }
  const listed = new Folders();
  const found: string[] = [];
  for (const folder of new Set(folders)) {
    for (const word of all) found.push(...(await filesOfWord(folder, word, listed)));
  }
  return found;
}

const ESCAPE =
  /\\(?:u([\dA-Fa-f]{4})|x([\dA-Fa-f]{2})|U([\dA-Fa-f]{8})|\r?\n[ \t]*|([ /])|[nrt])/gu;

function decodeEscapes(text: string): string {
  return text.replaceAll(ESCAPE, (whole, u?: string, x?: string, long?: string, own = "") => {
    const code = u ?? x ?? long;
    if (code === undefined) return /[nrt]$/u.test(whole) ? " " : String(own);
    const point = Number.parseInt(code, 16);
    return point > MAX_CODE_POINT ? whole : String.fromCodePoint(point);
  });
}

const MAX_CODE_POINT = 0x10ffff;

function withoutQuotes(text: string): string {
  return text.normalize().replaceAll(/['"\s]+/gu, " ");
}

/**
 * A text in which every name looks like itself, however JSON, YAML or a shell writes it. A shell
 * joins quoted parts, and on Windows a backslash separates folders.
 */
export function plainText(text: string): string {
  const decoded = decodeEscapes(text);
  const joined = decoded.replaceAll(/['"\\]/gu, "");
  return withoutQuotes([decoded, joined, text.replaceAll(/\\+/gu, "/")].join("\n"));
}

const IN_WORD = /[\p{L}\p{N}_]/u;

/**
 * Whether a text has a name. A script may be named without its ending. Other names must be whole
 * words, because a file with data, such as `log`, changes often.
 */
function isNamed(name: string, text: string): boolean {
  if (isCode(name)) return text.includes(name.slice(0, -extname(name).length));
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const around = [text[at - 1] ?? " ", text[at + name.length] ?? " "];
    if (!around.some((each) => IN_WORD.test(each))) return true;
  }
  return false;
}

/** The files in a folder whose names are in a text. Names may have spaces and any letters. */
export function filesNamedIn(text: string, folder: string): Promise<string[]> {
  return filesInFolder(folded(text), folder, 0);
}

async function filesInFolder(text: string, folder: string, depth: number): Promise<string[]> {
  if (depth > MAX_DEPTH) return [];
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const found: string[] = [];
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (!isNamed(folded(withoutQuotes(decodeEscapes(entry.name))), text)) continue;
    found.push(...(entry.isDirectory() ? await filesInFolder(text, path, depth + 1) : [path]));
  }
  return found;
}

/** Whether a word may name a script. Its ending may be left out, as in `--require ./hook`. */
function mayBeCode(word: string): boolean {
  return nameEnd(word) === "" ? !isAbsolute(word) : isCode(word);
}

/**
 * The code files that a text names, such as `--import=./hook.mjs` or the command of `sh -c`.
 * Data files are left out, because a server may write to its own files.
 */
export function codeIn(texts: readonly string[]): string[] {
  return texts.flatMap(pathWords).filter(mayBeCode);
}
