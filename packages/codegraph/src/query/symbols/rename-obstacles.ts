import { linksIn, neighbours } from "../../analysis/index.ts";
import type { CodeGraph } from "../../graph/index.ts";
import type { GraphView } from "../answer/view.ts";
import { inheritsFromPackage } from "../completeness/symbol-completeness.ts";
import { unresolvedIn } from "../completeness/unresolved-uses.ts";
import { folderName } from "../names/names.ts";
import { typesAbove, typesBelow } from "../types/member-family.ts";
import { pythonDeclarations } from "./declared-again.ts";
import { namePosition, wordIn } from "./symbol-text.ts";

/** The new text for a name at a position, 1-based. */
export interface RenameEdit {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  /** The text that the edit replaces. */
  readonly old: string;
  readonly text: string;
}

/** A rename whose edits are known. */
export interface Renaming {
  readonly from: string;
  readonly to: string;
  /** The symbols that get the new name. */
  readonly symbols: readonly number[];
  readonly edits: readonly RenameEdit[];
}

const SCRIPTS = new Set(["typescript", "javascript"]);
const LANGUAGES = new Set([...SCRIPTS, "python", "go"]);
const MAX_FILES = 2_000;
/** Names that Python's test runners look for. */
const OF_TESTS = /^(?:[Tt]est\w*|set[Uu]p\w*|tear[Dd]own\w*)$/u;
/** Frameworks that find exports by their names. */
const BY_FILE = new Set(["next", "remix", "sveltekit", "nuxt", "astro"]);

/** Names that the language, or a program that runs the code, uses by itself. */
const KNOWN_NAMES: Readonly<Record<string, RegExp>> = {
  script: /^(?:constructor|toString|toJSON|toLocaleString|valueOf|then|next|return|throw)$/u,
  python: /^__\w+__$/u,
  go: /^(?:main|init|TestMain|(?:Test|Benchmark|Fuzz|Example)(?!\p{Ll})\w*)$/u,
};
/** Names of tests, of which only the beginning matters. */
const TEST_START = /^(?:(?:Test(?!Main$)|Benchmark|Fuzz)(?!\p{Ll})|test_)/u;

/** Reasons why the edits of a rename could change what the code does. */
export function renameObstacles(view: GraphView, renaming: Renaming): string[] {
  const { edits, from } = renaming;
  if (edits.length === 0) return [`${from} was not found in its file`];
  return [
    ...unparsedReasons(view, renaming),
    ...takenReasons(view, renaming),
    ...calledByName(view.graph, renaming),
    ...visibilityReasons(view, renaming),
    ...againReasons(view, renaming),
    ...otherMentions(view, renaming),
  ];
}

function editedPaths({ edits }: Renaming): string[] {
  return [...new Set(edits.map(({ path }) => path))];
}

function unparsedReasons({ graph }: GraphView, renaming: Renaming): string[] {
  const others = editedPaths(renaming).filter((path) => {
    const file = graph.files.find(path);
    return file === undefined || !LANGUAGES.has(graph.files.language(file));
  });
  return others.map((path) => `${path} has parts that are not parsed`);
}

/** Places where the new name would mean something else as well. */
function takenReasons(view: GraphView, renaming: Renaming): string[] {
  const { graph } = view;
  const to = renaming.to.replace(/^#/, "");
  const paths = new Set(editedPaths(renaming));
  for (const symbol of renaming.symbols) {
    for (const file of filesOfScope(graph, symbol)) paths.add(graph.files.path(file));
  }
  const taken = [...paths].filter((path) =>
    view.lines(path).some((line) => wordIn(line, to) !== undefined),
  );
  const exported = filesExporting(graph, renaming).filter(
    (path) =>
      !taken.includes(path) && graph.exports.find(graph.files.find(path)!, to) !== undefined,
  );
  return [
    ...taken.map((path) => `${path} already uses the name ${renaming.to}`),
    ...exported.map((path) => `${path} already exports ${renaming.to}`),
  ];
}

/** The other files in which a symbol shares its scope: a Go package, or related types. */
function filesOfScope(graph: CodeGraph, symbol: number): number[] {
  const { symbols, files } = graph;
  const file = symbols.file(symbol);
  const owner = symbols.parent(symbol);
  const types =
    owner === undefined || symbols.kind(owner) === "module"
      ? []
      : [...typesAbove(graph, owner), ...typesBelow(graph, owner)];
  const related = types.map((type) => symbols.file(type));
  if (files.language(file) !== "go") return related;
  const folder = folderName(files.path(file));
  const siblings = Array.from({ length: files.count }, (_, each) => each).filter(
    (each) => files.language(each) === "go" && folderName(files.path(each)) === folder,
  );
  return [...related, ...siblings];
}

/** The files that export one of the symbols under its own name. */
function filesExporting({ exports, files }: CodeGraph, { from, symbols }: Renaming): string[] {
  const renamed = new Set(symbols);
  const rows = [...exports.named(from)].filter((row) => {
    const symbol = exports.symbol(exports.definition(row));
    return symbol !== undefined && renamed.has(symbol);
  });
  return [...new Set(rows.map((row) => files.path(exports.file(row))))];
}

/** Symbols that something outside of the tree's code uses by their name. */
function calledByName(graph: CodeGraph, { from, to, symbols: renamed }: Renaming): string[] {
  const { symbols, files, entrypoints } = graph;
  const reasons = new Set<string>();
  for (const symbol of renamed) {
    const file = symbols.file(symbol);
    const language = files.language(file);
    const owner = symbols.parent(symbol);
    const isMember = owner !== undefined && symbols.kind(owner) !== "module";
    const isMethod = symbols.kind(symbol) === "method";
    const family = SCRIPTS.has(language) ? "script" : language;
    const isOfTests = language === "python" && files.kind(file) === "test" && OF_TESTS.test(from);
    const isKnown = KNOWN_NAMES[family]?.test(from) === true && (family !== "script" || isMember);
    const start = TEST_START.exec(from)?.[0];
    const isStillTest = start !== undefined && start === TEST_START.exec(to)?.[0];
    if ((isKnown || isOfTests) && !isStillTest)
      reasons.add(`${from} is a name with a meaning of its own`);
    if (language === "go" && isMethod && /^\p{Lu}/u.test(from))
      reasons.add("a package may call the method through an interface");
    else if (isMember && inheritsFromPackage(graph, symbol, owner))
      reasons.add("the class inherits from a package, which may use the name");
    for (const row of entrypoints.inFile(file)) {
      const isExported = graph.exports.find(file, from) !== undefined;
      if (isExported && BY_FILE.has(entrypoints.detail(row)))
        reasons.add(`${entrypoints.detail(row)} may use the name in ${files.path(file)}`);
    }
  }
  return [...reasons];
}

/** In Python, another branch can declare the same name. */
function againReasons(view: GraphView, { from, symbols: renamed, edits }: Renaming): string[] {
  const { files, symbols } = view.graph;
  const file = symbols.file(renamed[0]!);
  if (files.language(file) !== "python") return [];
  const path = files.path(file);
  const known = [...symbols.named(from)].flatMap((symbol) =>
    symbols.file(symbol) === file ? (namePosition(view, symbol)?.line ?? []) : [],
  );
  const edited = edits.flatMap((edit) => (edit.path === path ? edit.line : []));
  const lines = new Set([...known, ...edited]);
  const isAgain = pythonDeclarations(view.lines(path), from).some(({ line }) => !lines.has(line));
  return isAgain ? [`${path} declares ${from} again`] : [];
}

/** New names that cannot be seen where the old one could. */
function visibilityReasons(view: GraphView, renaming: Renaming): string[] {
  const { files, symbols } = view.graph;
  const { from, to, edits } = renaming;
  const file = symbols.file(renaming.symbols[0]!);
  const path = files.path(file);
  const language = files.language(file);
  const isLower = /^\p{Lu}/u.test(from) && !/^\p{Lu}/u.test(to);
  if (language === "go") {
    const outside = edits.some((edit) => folderName(edit.path) !== folderName(path));
    return isLower && outside ? [`other packages cannot use ${to}`] : [];
  }
  if (language === "python") {
    const isHidden = to.startsWith("_") && !from.startsWith("_");
    return isHidden ? ["Python treats names that start with _ differently"] : [];
  }
  const isTag = ({ path: at, line, column }: RenameEdit): boolean =>
    /<\/?$/u.test((view.lines(at)[line - 1] ?? "").slice(0, column - 1));
  return isLower && edits.some((edit) => edit.path.endsWith("x") && isTag(edit))
    ? [`JSX takes <${to}> for an element of HTML`]
    : [];
}

/** Files near the symbol that have its name in a text, or declare it once more. */
function otherMentions(view: GraphView, renaming: Renaming): string[] {
  const name = renaming.from.replace(/^#/, "");
  const places = new Set(
    renaming.edits.map(({ path, line, column }) => `${path}:${line}:${column}`),
  );
  const quoted = new RegExp(
    String.raw`(?<=(['"\x60])(?:[^'"\x60]*[.:#])?)${escaped(name)}(?=\1)`,
    "gu",
  );
  const word = new RegExp(String.raw`(?<![\w$.])${escaped(name)}(?![\w$])`, "gu");
  const reasons: string[] = [];
  const isPassed = isFixture(view, renaming.symbols[0]!);
  for (const path of nearFiles(view.graph, renaming)) {
    const lines = view.lines(path);
    const isOther = (pattern: RegExp): boolean =>
      lines.some((line, at) =>
        [...line.matchAll(pattern)].some(
          ({ index }) => !places.has(`${path}:${at + 1}:${index + 1}`),
        ),
      );
    const isWhole = (pattern: RegExp): boolean => lines.some((line) => pattern.test(line));
    if (isOther(quoted)) reasons.push(`${path} has the name in a text`);
    else if (isWhole(/\bdeclare\s+(?:module|global)\b/u) && isOther(word))
      reasons.push(`${path} may declare ${name} again`);
    else if ((isPassed || isWhole(/\bmock/iu)) && isOther(word))
      reasons.push(`${path} may use ${name} by its name`);
  }
  return reasons;
}

/** Whether pytest passes the result of a function to parameters with its name. */
function isFixture(view: GraphView, symbol: number): boolean {
  const { files, symbols } = view.graph;
  const file = symbols.file(symbol);
  if (files.language(file) !== "python") return false;
  const { line } = symbols.range(symbol);
  const above = view.lines(files.path(file)).slice(Math.max(0, line - 4), line);
  return above.some((text) => /^\s*@.*\bfixture\b/u.test(text));
}

const escaped = (text: string): string => text.replaceAll("$", String.raw`\$`);

/** The edited files, those that import the symbol's file or one that hands it on, and keys. */
function nearFiles(graph: CodeGraph, renaming: Renaming): string[] {
  const { files, symbols } = graph;
  const starts = [
    ...renaming.symbols.map((symbol) => symbols.file(symbol)),
    ...filesExporting(graph, renaming).map((path) => files.find(path)!),
  ];
  const near = new Set(editedPaths(renaming));
  for (const start of new Set(starts)) {
    near.add(files.path(start));
    for (const user of neighbours(linksIn(graph), start)) near.add(files.path(user));
    for (const user of unresolvedIn(graph, renaming.from, "key", start)) near.add(files.path(user));
    // pytest passes fixtures to every test of their folder.
    if (!files.path(start).endsWith("conftest.py")) continue;
    const folder = folderName(files.path(start));
    for (let file = 0; file < files.count; file++) {
      if (files.language(file) === "python" && files.path(file).startsWith(folder))
        near.add(files.path(file));
    }
  }
  return [...near].slice(0, MAX_FILES);
}
