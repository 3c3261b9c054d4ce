// @ts-check
// Asks TypeScript's language service about a tree: references, and resolved imports.
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import ts from "typescript-5";
import { linkedPackages } from "./linked-packages.mjs";

/** @typedef {import("./sample.mjs").Sampled} Sampled */
/** @typedef {{ path: string, line: number, column: number }} Place */
/**
 * The places that an oracle found, or the reason why it has no answer.
 * @typedef {{ places: Place[] } | { error: string }} Truth
 */

/** Options that allow one program to contain all files of a tree. */
const OPTIONS = {
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  target: ts.ScriptTarget.ESNext,
  jsx: ts.JsxEmit.Preserve,
  allowJs: true,
  checkJs: false,
  noEmit: true,
  skipLibCheck: true,
  strict: true,
  composite: false,
  incremental: false,
  allowImportingTsExtensions: true,
  resolveJsonModule: true,
  types: /** @type {string[]} */ ([]),
};

/** One program for the given files. Each file is resolved by its nearest configuration. */
export class TypeScriptOracle {
  /** @param {string} root @param {readonly string[]} paths */
  constructor(root, paths) {
    this.root = realpathSync(root);
    this.paths = paths.map((path) => join(this.root, path));
    this.links = linkedPackages(this.root, paths);
    /** @type {Map<string, ts.CompilerOptions>} */
    this.optionsByFolder = new Map();
    /** @type {Map<string, string | undefined>} */
    this.texts = new Map();
    this.system = this.#system();
    this.service = ts.createLanguageService(this.#host(), ts.createDocumentRegistry());
  }

  /** Maps `node_modules/<package of the tree>` to the package's own files. */
  #system() {
    const real = (/** @type {string} */ path) => this.links.real(path);
    return {
      fileExists: (/** @type {string} */ path) => ts.sys.fileExists(real(path)),
      readFile: (/** @type {string} */ path) => this.#text(real(path)),
      directoryExists: (/** @type {string} */ path) =>
        this.links.isFolder(path) || ts.sys.directoryExists(real(path)),
      getDirectories: (/** @type {string} */ path) => ts.sys.getDirectories(real(path)),
      realpath: (/** @type {string} */ path) => {
        const found = real(path);
        return existsSync(found) ? realpathSync(found) : found;
      },
      getCurrentDirectory: () => this.root,
      useCaseSensitiveFileNames: true,
    };
  }

  /** @param {string} path */
  #text(path) {
    if (!this.texts.has(path)) this.texts.set(path, ts.sys.readFile(path));
    return this.texts.get(path);
  }

  /** @returns {ts.LanguageServiceHost} */
  #host() {
    return {
      ...this.system,
      getScriptFileNames: () => this.paths,
      getScriptVersion: () => "1",
      getScriptSnapshot: (path) => {
        const text = this.#text(this.links.real(path));
        return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
      },
      getCompilationSettings: () => ({ ...OPTIONS }),
      getDefaultLibFileName: (options) => ts.getDefaultLibFilePath(options),
      useCaseSensitiveFileNames: () => true,
      resolveModuleNameLiterals: (literals, file, _redirected, options) =>
        literals.map((literal) => ({ resolvedModule: this.resolve(literal.text, file, options) })),
    };
  }

  /**
   * @param {string} specifier @param {string} file @param {ts.CompilerOptions} [options]
   * @returns {ts.ResolvedModuleFull | undefined}
   */
  resolve(specifier, file, options = OPTIONS) {
    const own = { ...options, ...this.#pathOptions(dirname(file)) };
    const found = ts.resolveModuleName(specifier, file, own, this.system).resolvedModule;
    if (!found?.resolvedFileName.includes("/node_modules/")) return found;
    return { ...found, isExternalLibraryImport: true };
  }

  /** Reads the path options of the nearest configuration. @param {string} folder */
  #pathOptions(folder) {
    const known = this.optionsByFolder.get(folder);
    if (known) return known;
    /** @type {ts.CompilerOptions} */
    let found = {};
    const config = ["tsconfig.json", "jsconfig.json"]
      .map((name) => join(folder, name))
      .find((path) => existsSync(path));
    if (config !== undefined) found = pathsIn(config);
    else if (folder.length > this.root.length) found = this.#pathOptions(dirname(folder));
    this.optionsByFolder.set(folder, found);
    return found;
  }

  /** Whether an editor offers a call hierarchy for a declared name. @param {string} path @param {string} name */
  hasCalls(path, name) {
    const file = join(this.root, path);
    const text = this.service.getProgram()?.getSourceFile(file)?.text ?? "";
    const position = new RegExp(
      String.raw`(?:const|class|function|interface|type) (?=${name}\b)`,
      "u",
    );
    const found = position.exec(text);
    if (!found) throw new Error(`${path} does not declare ${name}`);
    return this.service.prepareCallHierarchy(file, found.index + found[0].length) !== undefined;
  }

  /** @param {readonly Sampled[]} symbols @returns {Truth[]} */
  references(symbols) {
    return symbols.map((symbol) => {
      try {
        return this.#referencesTo(symbol);
      } catch (error) {
        return { error: String(error) };
      }
    });
  }

  /** @param {Sampled} symbol @returns {Truth} */
  #referencesTo({ path, line, column, name }) {
    const file = join(this.root, path);
    const program = this.service.getProgram();
    const source = program?.getSourceFile(file);
    if (!program || !source) return { error: "the file is not in the program" };
    const position = source.getPositionOfLineAndCharacter(line - 1, column - 1);
    const checker = program.getTypeChecker();
    const owner = ownerAt(checker, source, position);
    const own = symbolAt(checker, /** @type {ts.Expression} */ (nodeAt(source, position)));
    const groups = [position, ...otherNames(own, source, position)].flatMap(
      (each) => this.service.findReferences(file, each) ?? [],
    );
    if (groups.length === 0) return { error: "nothing is declared there" };
    /** @type {Map<string, Place>} */
    const places = new Map();
    for (const { definition, references } of groups) {
      if (owner && !isRelated(program, definition, owner)) continue;
      for (const reference of references) {
        if (reference.isDefinition) continue;
        if (!owner && own && isOther(program, reference, own, name)) continue;
        const place = this.#place(program, reference, name);
        if (place && !(place.path === path && place.line === line && place.column === column)) {
          places.set(`${place.path}:${place.line}:${place.column}`, place);
        }
      }
    }
    return { places: [...places.values()] };
  }

  /** @param {ts.Program} program @param {ts.ReferencedSymbolEntry} entry @param {string} name */
  #place(program, { fileName, textSpan }, name) {
    const source = program.getSourceFile(fileName);
    if (!source || !fileName.startsWith(`${this.root}/`) || fileName.includes("/node_modules/")) {
      return undefined;
    }
    // A link in a comment is not a use.
    if (this.service.getSpanOfEnclosingComment(fileName, textSpan.start, false)) return undefined;
    const node = nodeAt(source, textSpan.start);
    // `this` in a static method is the class, but not its name.
    if (node?.kind === ts.SyntaxKind.ThisKeyword) return undefined;
    if (node && isAliasName(node, name)) return undefined;
    if (node && isDeclarationName(node)) return undefined;
    const { line, character } = source.getLineAndCharacterOfPosition(textSpan.start);
    return { path: relative(this.root, fileName), line: line + 1, column: character + 1 };
  }

  /**
   * The positions that a rename would edit, as `path:line:column`.
   * @param {Sampled} symbol @returns {string[]}
   */
  renames({ path, line, column }) {
    const file = join(this.root, path);
    const program = this.service.getProgram();
    const source = program?.getSourceFile(file);
    if (!program || !source) return [];
    const position = source.getPositionOfLineAndCharacter(line - 1, column - 1);
    const found = this.service.findRenameLocations(file, position, false, false, {
      providePrefixAndSuffixTextForRename: false,
    });
    return (found ?? []).flatMap(({ fileName, textSpan }) => {
      const place = program.getSourceFile(fileName)?.getLineAndCharacterOfPosition(textSpan.start);
      if (!place) return [];
      return `${relative(this.root, fileName)}:${place.line + 1}:${place.character + 1}`;
    });
  }

  /**
   * Whether a name has a definition other than itself.
   * @param {{ path: string, line: number, column: number }} place
   */
  knows({ path, line, column }) {
    const file = join(this.root, path);
    const source = this.service.getProgram()?.getSourceFile(file);
    if (!source) return false;
    const position = source.getPositionOfLineAndCharacter(line - 1, column - 1);
    const found = this.service.getDefinitionAtPosition(file, position) ?? [];
    return found.some(({ kind }) => kind !== ts.ScriptElementKind.alias);
  }

  /** Syntax errors of the tree, which may make the oracle wrong. */
  errors() {
    const program = this.service.getProgram();
    return (program?.getSyntacticDiagnostics() ?? []).length;
  }

  /** The resolved imports of each file. @returns {Map<string, Set<string>>} */
  edges() {
    const program = this.service.getProgram();
    /** @type {Map<string, Set<string>>} */
    const edges = new Map();
    for (const path of this.paths) {
      const source = program?.getSourceFile(path);
      if (!source) continue;
      const targets = new Set();
      for (const specifier of specifiersIn(source)) {
        const found = this.resolve(specifier, path)?.resolvedFileName;
        const real = found && this.system.realpath(found);
        if (real?.startsWith(`${this.root}/`) && !real.includes("/node_modules/")) {
          targets.add(relative(this.root, real));
        }
      }
      edges.set(relative(this.root, path), targets);
    }
    return edges;
  }
}

/** @param {string} config @returns {ts.CompilerOptions} */
function pathsIn(config) {
  const read = ts.readConfigFile(config, (path) => readFileSync(path, "utf8"));
  /** @type {unknown} */
  const json = read.config ?? {};
  const { options } = ts.parseJsonConfigFileContent(
    { .../** @type {object} */ (json), include: [], files: [] },
    ts.sys,
    dirname(config),
  );
  const { paths, baseUrl, rootDirs, customConditions, pathsBasePath } = options;
  return {
    ...(paths && { paths }),
    ...(baseUrl !== undefined && { baseUrl }),
    ...(rootDirs && { rootDirs }),
    ...(customConditions && { customConditions }),
    ...(pathsBasePath !== undefined && { pathsBasePath }),
  };
}

/** @param {ts.SourceFile} source @returns {Set<string>} */
function specifiersIn(source) {
  const found = new Set();
  /** @type {ts.Node[]} */
  const pending = [source];
  for (let node = pending.pop(); node; node = pending.pop()) {
    const literal = getSpecifier(node);
    if (literal && ts.isStringLiteralLike(literal)) found.add(literal.text);
    ts.forEachChild(node, (child) => void pending.push(child));
  }
  return found;
}

/** @param {ts.Node} node @returns {ts.Node | undefined} */
function getSpecifier(node) {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier;
  if (ts.isExternalModuleReference(node)) return node.expression;
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
    return node.argument.literal;
  if (!ts.isCallExpression(node)) return undefined;
  const isImport = node.expression.kind === ts.SyntaxKind.ImportKeyword;
  const isRequire = ts.isIdentifier(node.expression) && node.expression.text === "require";
  return isImport || isRequire ? node.arguments[0] : undefined;
}

/** @param {ts.SourceFile} source @param {number} position @returns {ts.Node | undefined} */
function nodeAt(source, position) {
  /** @type {ts.Node | undefined} */
  let found;
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (position < node.getStart(source) || position >= node.getEnd()) return;
    found = node;
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/**
 * Whether a place with another name means another symbol. If a file has `export default class A` and
 * `export { default as B } from "./b"`, the language service lists default imports of A as uses of B.
 * @param {ts.Program} program @param {ts.ReferencedSymbolEntry} entry @param {ts.Symbol} own
 * @param {string} name
 */
function isOther(program, { fileName, textSpan }, own, name) {
  const source = program.getSourceFile(fileName);
  const node = source && nodeAt(source, textSpan.start);
  if (!node || !ts.isIdentifier(node) || node.text === name || node.text === "default")
    return false;
  const found = symbolAt(program.getTypeChecker(), node);
  const declared = found?.declarations ?? [];
  return declared.length > 0 && !declared.some((each) => own.declarations?.includes(each));
}

/** In `import { a as b }`, `b` is a new name. @param {ts.Node} node @param {string} name */
function isAliasName(node, name) {
  const { parent } = node;
  if (ts.isNamespaceImport(parent)) return node.getText() !== name;
  if (ts.isImportSpecifier(parent))
    return parent.propertyName !== undefined && parent.name === node;
  if (ts.isExportSpecifier(parent))
    return parent.propertyName !== undefined && parent.name === node;
  return false;
}

/** @param {ts.Node} node */
function isDeclarationName(node) {
  const { parent } = node;
  if (ts.isImportSpecifier(parent) || ts.isExportSpecifier(parent)) return false;
  if (ts.isImportClause(parent) || ts.isNamespaceImport(parent)) return false;
  if (ts.isBindingElement(parent) || ts.isShorthandPropertyAssignment(parent)) return false;
  return ts.isDeclaration(parent) && ts.getNameOfDeclaration(parent) === node;
}

/**
 * The class or interface of the member at a position.
 * @param {ts.TypeChecker} checker @param {ts.SourceFile} source @param {number} position
 */
function ownerAt(checker, source, position) {
  const member = nodeAt(source, position)?.parent;
  const owner = member?.parent;
  if (!owner || !(ts.isClassLike(owner) || ts.isInterfaceDeclaration(owner))) return undefined;
  return owner.name ? checker.getSymbolAtLocation(owner.name) : undefined;
}

/**
 * Whether a definition belongs to the same type, a parent or a child. Siblings that the language
 * service adds are left out, because a call of one never reaches the other.
 * @param {ts.Program} program @param {ts.ReferencedSymbolDefinitionInfo} definition
 * @param {ts.Symbol} owner
 */
function isRelated(program, { fileName, textSpan }, owner) {
  const source = program.getSourceFile(fileName);
  const checker = program.getTypeChecker();
  const other = source && ownerAt(checker, source, textSpan.start);
  if (!other) return true;
  return other === owner || inherits(checker, owner, other) || inherits(checker, other, owner);
}

/** @param {ts.TypeChecker} checker @param {ts.Symbol} below @param {ts.Symbol} above */
function inherits(checker, below, above, seen = new Set([below])) {
  for (const declaration of below.declarations ?? []) {
    if (!ts.isClassLike(declaration) && !ts.isInterfaceDeclaration(declaration)) continue;
    for (const { types } of declaration.heritageClauses ?? []) {
      for (const { expression } of types) {
        const base = checker.getTypeAtLocation(expression).symbol ?? symbolAt(checker, expression);
        const named = symbolAt(checker, expression) ?? base;
        for (const one of [base, named]) {
          if (!one || seen.has(one)) continue;
          if (one === above) return true;
          seen.add(one);
          if (inherits(checker, one, above, seen)) return true;
        }
      }
    }
  }
  return false;
}

/** @param {ts.TypeChecker} checker @param {ts.Expression} node */
function symbolAt(checker, node) {
  const symbol = checker.getSymbolAtLocation(node);
  return symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

/**
 * Where a file declares a symbol again: an interface and a constant of one name are one symbol, but
 * each has its own references.
 * @param {ts.Symbol | undefined} symbol @param {ts.SourceFile} source @param {number} position
 */
function otherNames(symbol, source, position) {
  return (symbol?.declarations ?? []).flatMap((declaration) => {
    const name = ts.getNameOfDeclaration(declaration);
    const isHere = declaration.getSourceFile() === source;
    return name && isHere && name.getStart() !== position ? [name.getStart()] : [];
  });
}
