import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { GRAMMAR_PACKAGES } from "../../graph/index.ts";

/** The members of a syntax node that are used here. */
export interface SyntaxNode {
  readonly type: string;
  readonly text: string;
  readonly hasError: boolean;
  readonly startIndex: number;
  readonly endIndex: number;
  readonly startPosition: { readonly row: number; readonly column: number };
  readonly parent: SyntaxNode | null;
  readonly namedChildren: readonly (SyntaxNode | null)[];
  childForFieldName(name: string): SyntaxNode | null;
  childrenForFieldName(name: string): readonly (SyntaxNode | null)[];
  descendantsOfType(types: readonly string[]): readonly (SyntaxNode | null)[];
}

interface SyntaxTree {
  readonly rootNode: SyntaxNode;
  delete(): void;
}

interface Parser {
  setLanguage(language: unknown): void;
  parse(text: string): SyntaxTree | null;
}

interface TreeSitter {
  readonly Parser: { new (): Parser; init(): Promise<void> };
  readonly Language: { load(file: string): Promise<unknown> };
}

export type GrammarName =
  | "python"
  | "go"
  | "java"
  | "c-sharp"
  | "rust"
  | "ruby"
  | "php"
  | "cpp"
  | "kotlin";

const require = createRequire(import.meta.url);

/** The build copies these files beside its own. In a clone they are in their npm package. */
function grammarFile(name: string): string {
  const built = new URL(`./grammars/${name}`, import.meta.url);
  return existsSync(built)
    ? fileURLToPath(built)
    : require.resolve(`@vscode/tree-sitter-wasm/wasm/${name}`);
}

const parsers = new Map<GrammarName, Promise<Parser>>();
let starting: Promise<TreeSitter> | undefined;

/**
 * Starts tree-sitter once. Two concurrent starts would create separate memories, and grammars
 * cannot be shared between them.
 */
function startTreeSitter(): Promise<TreeSitter> {
  const library = require(grammarFile("tree-sitter.js")) as TreeSitter;
  return (starting ??= library.Parser.init().then(() => library));
}

/**
 * Loads a grammar when the first file of its language is found, because most trees do not need it.
 */
async function loadGrammar(name: GrammarName): Promise<Parser> {
  const { Parser, Language } = await startTreeSitter();
  const parser = new Parser();
  parser.setLanguage(await Language.load(languageFile(name)));
  return parser;
}

function languageFile(name: GrammarName): string {
  const file = `tree-sitter-${name}.wasm`;
  const own = GRAMMAR_PACKAGES[name];
  return own === undefined ? grammarFile(file) : require.resolve(`${own}/${file}`);
}

const installed = new Map<GrammarName, boolean>();

/** Whether files of this grammar can be parsed here. */
export function hasGrammar(name: GrammarName): boolean {
  let isThere = installed.get(name);
  if (isThere === undefined) installed.set(name, (isThere = canResolve(name)));
  return isThere;
}

function canResolve(name: GrammarName): boolean {
  try {
    return languageFile(name) !== "";
  } catch {
    return false;
  }
}

/** Calls `read` with the syntax tree of a text, and frees the tree afterwards. */
export async function withTree<Result>(
  name: GrammarName,
  text: string,
  read: (root: SyntaxNode) => Result,
): Promise<Result | undefined> {
  let parser = parsers.get(name);
  if (!parser) parsers.set(name, (parser = loadGrammar(name)));
  const tree = (await parser).parse(text);
  if (!tree) return undefined;
  try {
    return read(tree.rootNode);
  } finally {
    tree.delete();
  }
}

/** The nodes without null, which the library's types allow. */
export function present(nodes: readonly (SyntaxNode | null)[]): SyntaxNode[] {
  return nodes.filter((node) => node !== null);
}

export const lineOf = ({ startPosition }: SyntaxNode): number => startPosition.row + 1;
export const columnOf = ({ startPosition }: SyntaxNode): number => startPosition.column + 1;
