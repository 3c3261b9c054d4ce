import { basename, posix } from "node:path";
import type { FileKind } from "../../graph/index.ts";
import type { GapFact } from "./facts.ts";

/**
 * Files can be used without an import: a program loads all files of a folder, a script of
 * package.json runs one, a configuration or test starts one by its path. Such strings are not
 * edges, because their meaning is uncertain, but the files must not be reported as dead.
 */
const DETAIL = "a string that names files and is not an import";
const MAX_NAMES = 500;
const MAX_BYTES = 128 * 1024;
const MAX_NAME = 200;

/** Text files that are not code but name code files. */
const NAMING_TEXTS =
  /^(?:package|project|angular|nest-cli|wrangler|vercel|netlify|app|deno|jsr|manifest|electron-builder|tsup|nx|turbo)\.jsonc?$|^\.[\w.-]+rc(?:\.jsonc?)?$|\.config\.json$|^(?:Docker|Make|Proc)file|\.(?:html|mdx|toml|ya?ml|sh)$/u;

export function mayNameFiles(path: string, bytes: number): boolean {
  return bytes <= MAX_BYTES && NAMING_TEXTS.test(basename(path));
}

const CODE_ENDING = /\.(?:[cm]?[jt]sx?|vue|svelte|astro)(?!\w)/g;
const OF_A_PATH = /[\w@~.()[\]/-]/u;

/** Finds paths that end like code, in text of any language. */
export function filesNamedInText(text: string): GapFact[] {
  const names = Array.from(text.matchAll(CODE_ENDING), ({ 0: ending, index }) => {
    let start = index;
    while (start > 0 && index - start < MAX_NAME && OF_A_PATH.test(text[start - 1]!)) start -= 1;
    return text.slice(start, index + ending.length);
  });
  return getGaps([...names, ...Array.from(text.matchAll(IMPORT), ([, name]) => name!)]);
}

/** The imports of a document with components, such as MDX. */
const IMPORT = /^import\s[^"'\n]{0,500}["']([^"'\n]{1,200})["']/gm;

/**
 * The files that a JavaScript or TypeScript file names besides its imports. `body` is the code
 * after the imports.
 */
export function filesNamedInCode(
  path: string,
  kind: FileKind,
  text: string,
  body: string,
): readonly GapFact[] {
  const names: string[] = [];
  if (text.includes("dirname")) names.push(...besideItself(text));
  if (text.includes("Dir(") || text.includes("readdir")) names.push(...foldersRead(text));
  if (text.includes("import.meta.glob") || text.includes("require.context"))
    names.push(...globbed(text));
  if (ENDS_LIKE_CODE.test(body) && mayStartFiles(path, kind, text)) {
    names.push(...Array.from(body.matchAll(QUOTED_PATH), ([, name]) => name!));
    names.push(...Array.from(body.matchAll(CHOSEN_FILE), ([, folder]) => `${folder!}/*`));
  }
  return names.length === 0 ? NONE : getGaps(names);
}

const NONE: readonly GapFact[] = [];

/**
 * The end of every path below. Most text does not match this, so the slower patterns are skipped.
 */
const ENDS_LIKE_CODE = /\.(?:[cm]?[jt]s(?:x?["'`]|\b)|(?:vue|svelte|astro)["'`])/;

function mayStartFiles(path: string, kind: FileKind, text: string): boolean {
  return kind === "config" || kind === "test" || RUNS_FILES.test(path) || starts(text);
}

const RUNS_FILES = /(?:^|\/)(?:scripts?|tools|build|bin)\/|\.config\.[^/]+$/u;
const QUOTED_PATH =
  /["'`]([\w@.~-]{0,100}(?:\/[\w@.~()[\]-]{1,100}){1,20}\.(?:[cm]?[jt]sx?|vue|svelte|astro))["'`]/g;

/**
 * Finds computed file names such as `${base}/workers/${name}.js` or `join(base, "workers",
 * `${name}.js`)`. They may name any file of the folder.
 */
const CHOSEN_FILE = /["'`/]([\w-]{1,100})(?:\/|["'`]\s*,\s*`)\$\{[^}\n]{1,100}\}\.[cm]?[jt]s\b/g;

const STARTING = ["Worker(", "fork(", "spawn(", "join(", "resolve(", "filename:"];

function starts(text: string): boolean {
  return STARTING.some((word) => text.includes(word));
}

const HERE = String.raw`(?:__dirname|\b_?dirname|import\.meta\.dirname)`;
const TEXTS = String.raw`((?:\s*,\s*(?:"[^"\n]*"|'[^'\n]*'|${"`[^`$\\n]*`"}))*)`;
const HERE_PLACE = new RegExp(HERE, "g");
/** The call that has the folder as its first argument, up to that argument. */
const CALL_BEFORE = /([\w.]{0,60})(?:<[^()\n]{0,200}>)?\(\s*$/;
const MAX_CALL_BEFORE = 300;
const TEXTS_BEHIND = new RegExp(String.raw`${TEXTS}\s*[,)]`, "y");
const AFTER_HERE = new RegExp(
  String.raw`${HERE}(?:\}|\s*\+\s*["'${"`"}])(/[^"'${"`"}$\s]{1,200})`,
  "g",
);
const MAKES_PATHS = /(?:^|\.)(?:join|resolve|dirname|relative|normalize|basename)$/u;

/** Reads `requireDirectory(__dirname)`, `join(__dirname, "jobs")` and similar calls. */
function besideItself(text: string): string[] {
  const given = Array.from(text.matchAll(HERE_PLACE)).flatMap(({ 0: here, index }) => {
    const before = text.slice(Math.max(0, index - MAX_CALL_BEFORE), index);
    const callee = CALL_BEFORE.exec(before)?.[1];
    TEXTS_BEHIND.lastIndex = index + here.length;
    const texts = TEXTS_BEHIND.exec(text)?.[1];
    if (callee === undefined || texts === undefined) return [];
    const parts = quotedIn(texts);
    if (parts.length === 0) return MAKES_PATHS.test(callee) ? "" : "./";
    return posix.join(...parts);
  });
  const after = Array.from(text.matchAll(AFTER_HERE), ([, rest]) => `.${rest!}`);
  // Parent folders are skipped: they are named to find the root, not to load everything below.
  return [...given, ...after].filter((name) => name === "./" || /[^./]/u.test(name));
}

/** `importAllFromDir(resolve(root, "repositories"))`: a folder with that name anywhere. */
const READS_FOLDER =
  /\b(?:readdir\w*|glob\w*|\w*(?:Dir|Directory|Folder))\(\s*(?:\w+\.)?(?:join|resolve)\([^()\n]{0,200}?["'`]([\w-]{3,60})["'`]\s*\)/g;

function foldersRead(text: string): string[] {
  return Array.from(text.matchAll(READS_FOLDER), ([, name]) => `**/${name!}/**`);
}

const GLOB_CALL =
  /\b(?:import\.meta\.glob(?:Eager)?|require\.context)\b[^(]{0,200}\(([^)]{1,2000})\)/g;

function globbed(text: string): string[] {
  return Array.from(text.matchAll(GLOB_CALL), ([, given]) => quotedIn(given!))
    .flat()
    .filter((name) => /^[./@~$#]/u.test(name));
}

function quotedIn(text: string): string[] {
  return Array.from(text.matchAll(/(["'`])([^"'`\n]*)\1/g), ([, , inner]) => inner!);
}

function getGaps(names: readonly string[]): GapFact[] {
  return [...new Set(names)]
    .filter((name) => name.length > 0 && name.length <= MAX_NAME)
    .slice(0, MAX_NAMES)
    .map((text) => ({ kind: "unsupported", line: 1, text, detail: DETAIL }));
}
