import { ANY_NAME, isNamedLanguage } from "../../graph/index.ts";
import type { CodeGraph, SymbolKind, UnresolvedKind } from "../../graph/index.ts";
import { completenessFor, counted, earlyReasons, treeReasons } from "./completeness.ts";
import type { Completeness } from "./completeness.ts";
import { exportNames } from "../names/definitions.ts";
import type { Definition } from "../names/definitions.ts";
import { folderName } from "../names/names.ts";
import { goReceiver } from "../types/go-signatures.ts";
import { mayBeRelated, typesAbove, typesBelow } from "../types/member-family.ts";
import { findStubTwin } from "./stub-twins.ts";
import { nearTakers } from "./module-takers.ts";
import { unresolvedIn } from "./unresolved-uses.ts";
import type { GraphView } from "../answer/view.ts";

/** The ways to use a symbol that is only visible as a member. */
const MEMBER = ["member"] as const;
const FOREIGN = ["foreign"] as const;
const COMPUTED = ["dynamicModule"] as const;
const WITH_ANY_NAME: ReadonlySet<UnresolvedKind> = new Set(["text", "dynamic", "dynamicModule"]);
/** Types do not exist at run time, so no computed name can read them. */
const TYPES: ReadonlySet<SymbolKind> = new Set(["interface", "type"]);
const MEMBERS: ReadonlySet<SymbolKind> = new Set(["method", "property", "accessor"]);
/** The reason why an answer about a member, or about implementations, may be incomplete. */
export const MAY_BE_RELATED =
  "a type has methods from a package and may implement an interface with them";
const CLOSED: ReadonlySet<SymbolKind> = new Set(["function", "method", "constructor", "accessor"]);

const REASONS: Readonly<Record<UnresolvedKind, readonly [one: string, many: string]>> = {
  value: ["file uses the same name without an import", "files use the same name without an import"],
  member: [
    "file uses the same name on a value of unknown type",
    "files use the same name on values of unknown type",
  ],
  key: ["file has an object with such a key", "files have objects with such a key"],
  import: [
    "file imports the same name from a module that was not found",
    "files import the same name from modules that were not found",
  ],
  text: ["file that is not parsed mentions it", "files that are not parsed mention it"],
  foreign: [
    "file uses a member of this name on a value whose type is in a package",
    "files use members of this name on values whose types are in packages",
  ],
  dynamic: [
    "file reads members by computed names, as in x[name]",
    "files read members by computed names, as in x[name]",
  ],
  dynamicModule: [
    "file reads members by computed names, as in x[name]",
    "files read members by computed names, as in x[name]",
  ],
  heir: ["class inherits from a package", "classes inherit from a package"],
};

/** `places`: where the name is used. `dependents`: also what depends on it through other code. */
type Asked = "places" | "dependents";

/**
 * Whether uses of a symbol may be missing. A use has to contain its name, so only unresolved uses
 * of the same name count.
 */
export function symbolCompleteness(
  view: GraphView,
  definition: Definition,
  asked: Asked = "dependents",
): Completeness {
  const { graph } = view;
  return completenessFor([
    ...earlyReasons(view),
    ...treeReasons(view, definition.file, asked === "places" && isTop(graph, definition)),
    ...byNameReasons(graph, definition),
    ...stubReasons(graph, definition),
    ...twinReasons(graph, definition),
    ...possibleReasons({ ...definition, graph }),
    ...waysMissed(graph, definition).flatMap(({ kind, files }) => counted(files, ...REASONS[kind])),
  ]);
}

/** In languages that are resolved by name, references are never complete. */
function byNameReasons({ files }: CodeGraph, { file }: Definition): string[] {
  const language = files.language(file);
  return isNamedLanguage(language) ? [`references in ${language} are found by name`] : [];
}

function stubReasons(graph: CodeGraph, { file }: Definition): string[] {
  const twin = findStubTwin(graph, file);
  return twin === undefined ? [] : [`${twin} also declares the symbol`];
}

/** Files of a Go package may declare the same name for different builds. */
function twinReasons({ files, symbols }: CodeGraph, { file, symbol }: Definition): string[] {
  if (symbol === undefined || files.language(file) !== "go") return [];
  // A type that is declared a second time declares its fields again.
  const declared = isTopOfFile(symbols, symbol) ? symbol : (symbols.parent(symbol) ?? symbol);
  if (!isTopOfFile(symbols, declared)) return [];
  const owner = goReceiver(symbols.detail(declared));
  const folder = folderName(files.path(file));
  const twin = [...symbols.named(symbols.name(declared))].find((other) => {
    const path = files.path(symbols.file(other));
    if (symbols.file(other) === file || folderName(path) !== folder) return false;
    return isTopOfFile(symbols, other) && goReceiver(symbols.detail(other)) === owner;
  });
  if (twin === undefined) return [];
  const what = declared === symbol ? "it" : symbols.name(declared);
  return [`${files.path(symbols.file(twin))} declares ${what} as well`];
}

function isTopOfFile(symbols: CodeGraph["symbols"], symbol: number): boolean {
  const parent = symbols.parent(symbol);
  return parent !== undefined && symbols.kind(parent) === "module";
}

/** A type can implement an interface with methods that it has from a package. */
function possibleReasons({ graph, symbol }: Definition & { graph: CodeGraph }): string[] {
  const isMember = symbol !== undefined && MEMBERS.has(graph.symbols.kind(symbol));
  return isMember && mayBeRelated(graph, symbol) ? [MAY_BE_RELATED] : [];
}

interface MissedWay {
  readonly kind: UnresolvedKind;
  readonly files: number;
}

/** The ways in which files may use a symbol without the graph knowing. */
function waysMissed(graph: CodeGraph, definition: Definition): MissedWay[] {
  const names = symbolAliases(graph, definition);
  return kindsFor(graph, definition).flatMap((kind) => {
    const wanted = WITH_ANY_NAME.has(kind) ? [...names, ANY_NAME] : names;
    const files = new Set(wanted.flatMap((name) => [...filesWith(graph, definition, name, kind)]));
    const seen = nearEnough(graph, definition, kind, files);
    return seen.size === 0 ? [] : [{ kind, files: seen.size }];
  });
}

function filesWith(
  graph: CodeGraph,
  definition: Definition,
  name: string,
  kind: UnresolvedKind,
): ReadonlySet<number> {
  const files = unresolvedIn(graph, name, kind, definition.file);
  // In text that is not parsed, the word `default` can mean a default export only as a member of
  // its module.
  const isWord = kind === "text" && name === "default" && isTop(graph, definition);
  return isWord ? nearTakers(graph, definition.file, files) : files;
}

/** The files in which a value can have the type that the definition belongs to. */
function nearEnough(
  graph: CodeGraph,
  definition: Definition,
  kind: UnresolvedKind,
  files: ReadonlySet<number>,
): ReadonlySet<number> {
  if (kind === "dynamic") return usersOfOwner(graph, definition, files);
  if (kind !== "member" && kind !== "dynamicModule") return files;
  // A member access can mean an export of a module only in a file that may have the whole module.
  return isTop(graph, definition) ? nearTakers(graph, definition.file, files) : files;
}

/** The files that use the class of a member, or a related class. */
function usersOfOwner(
  graph: CodeGraph,
  { symbol, file }: Definition,
  files: ReadonlySet<number>,
): Set<number> {
  const owner = symbol === undefined ? undefined : graph.symbols.parent(symbol);
  const found = new Set<number>();
  if (owner === undefined || files.size === 0) return found;
  if (files.has(file)) found.add(file);
  for (const type of [owner, ...typesAbove(graph, owner), ...typesBelow(graph, owner)]) {
    for (const use of graph.uses.into(type)) {
      const user = graph.symbols.file(graph.uses.from(use));
      if (files.has(user)) found.add(user);
    }
  }
  return found;
}

/** The symbol's own name, and the names under which it is exported. */
function symbolAliases(graph: CodeGraph, { symbol, name, export: row }: Definition): string[] {
  const own = symbol === undefined ? name : graph.symbols.name(symbol);
  const others = symbol === undefined ? [] : exportNames(graph, symbol);
  const exported = row === undefined ? [] : [graph.exports.name(row)];
  return [...new Set([own, ...exported, ...others])];
}

function kindsFor(graph: CodeGraph, definition: Definition): UnresolvedKind[] {
  const { symbol, file } = definition;
  // A Go package is not a value, so its members cannot be confused with those of values.
  const isValue = graph.files.language(file) !== "go";
  if (isTop(graph, definition)) {
    const isType = symbol !== undefined && TYPES.has(graph.symbols.kind(symbol));
    const atRunTime = isType && isScript(graph, file) ? [] : COMPUTED;
    return ["value", "import", ...(isValue ? MEMBER : []), "text", ...atRunTime];
  }
  const parent = symbol === undefined ? undefined : graph.symbols.parent(symbol);
  if (symbol === undefined || parent === undefined) return [];
  if (CLOSED.has(graph.symbols.kind(parent))) return [];
  const isHeir = inheritsFromPackage(graph, symbol, parent);
  return ["member", "key", "text", "dynamic", ...(isHeir ? FOREIGN : [])];
}

/** Whether a value with a package's type may be an instance of the member's class. */
export function inheritsFromPackage(graph: CodeGraph, member: number, owner: number): boolean {
  const { symbols, files } = graph;
  // A Go type implements every interface whose methods it has, including those of packages.
  if (files.language(symbols.file(member)) === "go") return symbols.kind(member) === "method";
  return [owner, ...typesAbove(graph, owner)].some((type) => {
    return unresolvedIn(graph, symbols.name(type), "heir", symbols.file(type)).has(
      symbols.file(type),
    );
  });
}

function isScript({ files }: CodeGraph, file: number): boolean {
  return files.language(file) === "typescript" || files.language(file) === "javascript";
}

/** A Go method is a member, even if it is at top level because another file declares its type. */
function isTop({ symbols }: CodeGraph, { symbol }: Definition): boolean {
  const parent = symbol === undefined ? undefined : symbols.parent(symbol);
  if (symbol === undefined || parent === undefined) return true;
  return symbols.kind(parent) === "module" && symbols.kind(symbol) !== "method";
}
