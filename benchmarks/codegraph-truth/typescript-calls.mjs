// @ts-check
// Finds every call of a tree with TypeScript 5.9. The native compiler has no such API yet.
import { readdirSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import ts from "typescript-5";

/** @typedef {{ path: string, name: string, line: number, column: number }} Declaration */
/**
 * A call: the position of the callee's name, the declarations of the name, that of the chosen
 * signature, and whether one of them is a function, method or class of the tree.
 * @typedef {{ path: string, line: number, column: number, text: string, isOurs: boolean,
 * declarations: Declaration[] }} Call
 */

const SOURCE = /\.(?:[cm]?[jt]s|[jt]sx)$/;
const SKIPPED = new Set(["node_modules", ".git", "dist"]);

/** @param {string} folder @returns {string[]} */
function sourceFiles(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (SKIPPED.has(entry.name)) return [];
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sourceFiles(path);
    return entry.isFile() && SOURCE.test(entry.name) ? [path] : [];
  });
}

/**
 * One program for all files, with the options of one tsconfig.
 * @param {string} root @param {string} config
 */
export function createProgram(root, config) {
  const file = join(root, config);
  const read = ts.readConfigFile(file, (path) => ts.sys.readFile(path));
  if (read.error) throw new Error(ts.flattenDiagnosticMessageText(read.error.messageText, "\n"));
  /** @type {unknown} */
  const json = read.config;
  const { options } = ts.parseJsonConfigFileContent(
    { .../** @type {object} */ (json), include: [], files: [] },
    ts.sys,
    dirname(file),
  );
  return ts.createProgram({
    rootNames: sourceFiles(root),
    options: {
      ...options,
      composite: false,
      incremental: false,
      // Resolves packages and build outputs to their sources, as after an install.
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      noEmit: true,
      allowJs: true,
      checkJs: false,
      skipLibCheck: true,
      types: [],
    },
  });
}

/** @param {string} root @param {ts.Program} program @returns {Generator<Call>} */
export function* getCalls(root, program) {
  const checker = program.getTypeChecker();
  for (const file of program.getSourceFiles()) {
    if (!isOwn(root, file)) continue;
    /** @type {ts.Node[]} */
    const pending = [file];
    for (let node = pending.pop(); node; node = pending.pop()) {
      if (
        ts.isCallExpression(node) ||
        ts.isNewExpression(node) ||
        ts.isTaggedTemplateExpression(node)
      ) {
        const call = describeCall(root, checker, file, node);
        if (call) yield call;
      }
      ts.forEachChild(node, (child) => void pending.push(child));
    }
  }
}

/** @param {string} root @param {ts.SourceFile} file */
function isOwn(root, file) {
  return file.fileName.startsWith(`${root}/`) && !file.fileName.includes("/node_modules/");
}

/**
 * @param {string} root @param {ts.TypeChecker} checker @param {ts.SourceFile} file
 * @param {ts.CallExpression | ts.NewExpression | ts.TaggedTemplateExpression} node
 * @returns {Call | undefined}
 */
function describeCall(root, checker, file, node) {
  const name = calleeName(ts.isTaggedTemplateExpression(node) ? node.tag : node.expression);
  if (!name) return undefined;
  const symbol = resolved(checker, checker.getSymbolAtLocation(name));
  const declared = (symbol?.declarations ?? []).filter((one) => isOwn(root, one.getSourceFile()));
  const signature = checker.getResolvedSignature(node)?.declaration;
  const chosen = signature && isOwn(root, signature.getSourceFile()) ? [signature] : [];
  const { line, character } = file.getLineAndCharacterOfPosition(name.getStart(file));
  return {
    path: relative(root, file.fileName),
    line: line + 1,
    column: character + 1,
    text: name.getText(file),
    isOurs: declared.some(isCallable),
    declarations: [...declared, ...chosen].map((one) => nodeLocation(root, one)),
  };
}

/** @param {ts.Expression} callee @returns {ts.Node | undefined} */
function calleeName(callee) {
  if (ts.isParenthesizedExpression(callee) || ts.isNonNullExpression(callee))
    return calleeName(callee.expression);
  if (ts.isPropertyAccessExpression(callee)) return callee.name;
  if (ts.isElementAccessExpression(callee))
    return ts.isStringLiteral(callee.argumentExpression) ? callee.argumentExpression : undefined;
  if (ts.isIdentifier(callee) || callee.kind === ts.SyntaxKind.SuperKeyword) return callee;
  return undefined;
}

/** @param {ts.TypeChecker} checker @param {ts.Symbol | undefined} symbol */
function resolved(checker, symbol) {
  return symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

/** @param {ts.Declaration} node */
function isCallable(node) {
  if (ts.isFunctionLike(node))
    return (
      !ts.isCallSignatureDeclaration(node) &&
      !ts.isConstructSignatureDeclaration(node) &&
      !ts.isFunctionTypeNode(node)
    );
  if (ts.isClassLike(node)) return true;
  const held =
    ts.isVariableDeclaration(node) ||
    ts.isPropertyDeclaration(node) ||
    ts.isPropertyAssignment(node)
      ? node.initializer
      : undefined;
  const value = held && bare(held);
  return (
    value !== undefined &&
    (ts.isArrowFunction(value) || ts.isFunctionExpression(value) || ts.isClassExpression(value))
  );
}

/** An expression without casts and brackets. @param {ts.Expression} node @returns {ts.Expression} */
function bare(node) {
  const isWrapped =
    ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isSatisfiesExpression(node);
  return isWrapped ? bare(node.expression) : node;
}

/**
 * The position of a declaration's name, or its end if it has none. A constructor counts as its
 * class.
 * @param {string} root @param {ts.Node} node @returns {Declaration}
 */
function nodeLocation(root, node) {
  const owner = ts.isConstructorDeclaration(node) || isUnnamedFunction(node) ? node.parent : node;
  const name = ts.getNameOfDeclaration(/** @type {ts.Declaration} */ (owner));
  const file = owner.getSourceFile();
  const place = name ? name.getStart(file) : owner.getEnd() - 1;
  const { line, character } = file.getLineAndCharacterOfPosition(place);
  return {
    path: relative(root, file.fileName),
    name: name?.getText(file) ?? "default",
    line: line + 1,
    column: character + 1,
  };
}

/** @param {ts.Node} node */
function isUnnamedFunction(node) {
  const isBare = ts.isArrowFunction(node) || (ts.isFunctionExpression(node) && !node.name);
  return (
    isBare &&
    (ts.isVariableDeclaration(node.parent) ||
      ts.isPropertyAssignment(node.parent) ||
      ts.isPropertyDeclaration(node.parent))
  );
}
