// @ts-check
// Finds the imports between files with TypeScript's own resolver, to check the graph.
import { existsSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import ts from "typescript-5";

/** A file may be imported even if its own project would not compile it. */
const READS_ALL = { allowJs: true, resolveJsonModule: true };
const SOURCE = /\.(?:[cm]?[jt]sx?|vue|svelte)$/;
const COMPONENT = /\.(?:vue|svelte)$/;
/** The scripts of a component. */
const SCRIPT = /<script\b(?:[^>"']|"[^"]*"|'[^']*')*>(.*?)<\/script>/gs;

/** @typedef {{ file: string, specifier: string, mode: import("typescript-5").ResolutionMode }} Wanted */
/** @typedef {{ options: ts.CompilerOptions, cache: ts.ModuleResolutionCache }} Settings */

/**
 * Every edge between files of the tree, as `from → to`. Workspace packages are linked as an install
 * would do.
 * @param {string} root
 * @param {readonly string[]} paths
 * @param {ReadonlyMap<string, string>} packages names and folders of the workspace's packages
 * @param {ReadonlyMap<string, string>} aliases names that a framework defines, with their folders
 */
export function typescriptEdges(root, paths, packages, aliases = new Map()) {
  const host = linkedHost(root, packages);
  const settings = new SettingsFinder(root, host);
  const loose = new LooseResolver(root, host);
  const inTree = new Set(paths);
  /** @type {Map<string, string>} */
  const edges = new Map();
  for (const path of paths.filter((file) => SOURCE.test(file))) {
    const file = join(root, path);
    const { options, cache } = settings.of(file);
    for (const { specifier: written, mode } of getRequests(file, options, host, cache)) {
      const specifier = withoutAlias(written, file, root, aliases);
      const component = COMPONENT.test(specifier) ? componentPath(specifier, file, root) : "";
      if (inTree.has(component)) edges.set(`${path} → ${component}`, specifier);
      const strict = ts.resolveModuleName(specifier, file, options, host, cache, undefined, mode);
      // Test runners and bundlers accept imports that Node's rules forbid, such as a name without
      // extension.
      const { resolvedModule } = strict.resolvedModule
        ? strict
        : loose.resolve(specifier, file, options);
      if (!resolvedModule) continue;
      const target = relative(root, resolvedModule.resolvedFileName);
      if (inTree.has(target)) edges.set(`${path} → ${target}`, specifier);
    }
  }
  return edges;
}

/** @param {string} specifier @param {string} file @param {string} root */
function componentPath(specifier, file, root) {
  return specifier.startsWith(".") ? relative(root, resolve(dirname(file), specifier)) : "";
}

/**
 * A name such as `$lib/x` as a relative path.
 * @param {string} specifier @param {string} file @param {string} root
 * @param {ReadonlyMap<string, string>} aliases
 */
function withoutAlias(specifier, file, root, aliases) {
  for (const [name, folder] of aliases) {
    if (specifier !== name && !specifier.startsWith(`${name}/`)) continue;
    const target = join(root, folder, specifier.slice(name.length));
    const path = relative(dirname(file), target);
    return path.startsWith(".") ? path : `./${path}`;
  }
  return specifier;
}

/**
 * The disk, with `node_modules/<name>` mapped to the package's folder.
 * @param {string} root @param {ReadonlyMap<string, string>} packages
 * @returns {ts.ModuleResolutionHost & ts.ParseConfigHost}
 */
function linkedHost(root, packages) {
  const prefix = join(root, "node_modules/");
  /** @param {string} path */
  const real = (path) => {
    const at = path.lastIndexOf("/node_modules/");
    if (at < 0 || !path.startsWith(root)) return path;
    const [scopeOrName = "", second = "", ...rest] = path.slice(at + 14).split("/");
    const isScoped = scopeOrName.startsWith("@");
    const name = isScoped ? `${scopeOrName}/${second}` : scopeOrName;
    const folder = path.startsWith(prefix) || existsSync(path) ? packages.get(name) : undefined;
    return folder === undefined
      ? path
      : join(root, folder, ...(isScoped ? rest : [second, ...rest]));
  };
  const { sys } = ts;
  return {
    useCaseSensitiveFileNames: true,
    fileExists: (path) => sys.fileExists(real(path)),
    readFile: (path) => sys.readFile(real(path)),
    directoryExists: (path) =>
      path === prefix.slice(0, -1) ||
      path.startsWith(`${prefix}@`) ||
      sys.directoryExists(real(path)),
    realpath: (path) => sys.realpath?.(real(path)) ?? real(path),
    getCurrentDirectory: () => root,
    readDirectory: (...args) => sys.readDirectory(...args),
  };
}

/** TypeScript's resolver with the rules of bundlers, independent of the configuration. */
class LooseResolver {
  #host;
  /** @type {WeakMap<ts.CompilerOptions, { options: ts.CompilerOptions, cache: ts.ModuleResolutionCache }>} */
  #settings = new WeakMap();
  #root;

  /** @param {string} root @param {ts.ModuleResolutionHost} host */
  constructor(root, host) {
    this.#root = root;
    this.#host = host;
  }

  /** @param {string} specifier @param {string} file @param {ts.CompilerOptions} given */
  resolve(specifier, file, given) {
    let settings = this.#settings.get(given);
    if (!settings) {
      const options = {
        ...given,
        module: ts.ModuleKind.ESNext,
        moduleResolution: ts.ModuleResolutionKind.Bundler,
      };
      settings = {
        options,
        cache: ts.createModuleResolutionCache(this.#root, (name) => name, options),
      };
      this.#settings.set(given, settings);
    }
    return ts.resolveModuleName(specifier, file, settings.options, this.#host, settings.cache);
  }
}

/** Finds the configuration of a file as an editor does: the nearest one that includes it. */
class SettingsFinder {
  #root;
  #host;
  /** @type {Settings | undefined} */
  #defaults;
  /** @type {Map<string, { parsed: ts.ParsedCommandLine, files: Set<string>, settings: Settings } | undefined>} */
  #parsed = new Map();

  /** @param {string} root @param {ts.ModuleResolutionHost & ts.ParseConfigHost} host */
  constructor(root, host) {
    this.#root = root;
    this.#host = host;
  }

  /** @param {string} file @returns {Settings} */
  of(file) {
    for (let folder = dirname(file); ; folder = dirname(folder)) {
      const config = this.#read(join(folder, "tsconfig.json"));
      const found = config && this.#including(config, file, 0);
      if (found) return found;
      if (folder === this.#root || folder === dirname(folder)) break;
    }
    return this.#default();
  }

  /** @param {{ parsed: ts.ParsedCommandLine, files: Set<string>, settings: Settings }} config @param {string} file @param {number} depth @returns {Settings | undefined} */
  #including(config, file, depth) {
    if (config.files.has(file)) return config.settings;
    if (depth > 4) return undefined;
    for (const reference of config.parsed.projectReferences ?? []) {
      const next = this.#read(ts.resolveProjectReferencePath(reference));
      const found = next && this.#including(next, file, depth + 1);
      if (found) return found;
    }
    return undefined;
  }

  /** @param {string} path */
  #read(path) {
    if (!this.#parsed.has(path)) this.#parsed.set(path, this.#parse(path));
    return this.#parsed.get(path);
  }

  /** @param {string} path */
  #parse(path) {
    if (!existsSync(path)) return undefined;
    const read = ts.readConfigFile(path, (file) => ts.sys.readFile(file));
    const config = /** @type {unknown} */ (read.config);
    const parsed = ts.parseJsonConfigFileContent(
      config ?? {},
      { ...ts.sys, ...this.#host },
      dirname(path),
      undefined,
      path,
    );
    const files = new Set(parsed.fileNames.map((name) => resolve(name)));
    return { parsed, files, settings: this.#settings({ ...parsed.options, ...READS_ALL }) };
  }

  #default() {
    return (this.#defaults ??= this.#settings({
      ...READS_ALL,
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
    }));
  }

  /** @param {ts.CompilerOptions} options @returns {Settings} */
  #settings(options) {
    return { options, cache: ts.createModuleResolutionCache(this.#root, (name) => name, options) };
  }
}

/**
 * @param {string} file @param {ts.CompilerOptions} options
 * @param {ts.ModuleResolutionHost} host @param {ts.ModuleResolutionCache} cache
 */
function getRequests(file, options, host, cache) {
  const whole = ts.sys.readFile(file) ?? "";
  const isComponent = COMPONENT.test(file);
  const text = isComponent
    ? Array.from(whole.matchAll(SCRIPT), ([, code]) => code).join(";\n")
    : whole;
  const format = ts.getImpliedNodeFormatForFile(
    file,
    cache.getPackageJsonInfoCache(),
    host,
    options,
  );
  const source = ts.createSourceFile(
    isComponent ? `${file}.ts` : file,
    text,
    { languageVersion: ts.ScriptTarget.Latest, ...(format && { impliedNodeFormat: format }) },
    true,
  );
  /** @type {{ specifier: string, mode: ts.ResolutionMode }[]} */
  const found = [];
  /** @param {ts.Node} node */
  const visit = (node) => {
    const literal = getLiteral(node);
    if (literal && !isAmbient(node))
      found.push({
        // The part after a question mark is only for the bundler.
        specifier: literal.text.replace(/\?.*$/, ""),
        mode: ts.getModeForUsageLocation(source, literal, options),
      });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/**
 * The module specifier of a node.
 * @param {ts.Node} node @returns {ts.StringLiteralLike | undefined}
 */
function getLiteral(node) {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node))
    return textOf(node.moduleSpecifier);
  if (ts.isExternalModuleReference(node)) return textOf(node.expression);
  if (ts.isImportTypeNode(node))
    return ts.isLiteralTypeNode(node.argument) ? textOf(node.argument.literal) : undefined;
  if (
    ts.isNewExpression(node) &&
    node.getText().startsWith("new URL(") &&
    /import\.meta\.url\s*\)$/.test(node.getText())
  ) {
    return textOf(node.arguments?.[0]);
  }
  if (!ts.isCallExpression(node)) return undefined;
  const isImport = node.expression.kind === ts.SyntaxKind.ImportKeyword;
  const isRequire = /^require(?:\.resolve)?$/.test(node.expression.getText());
  return isImport || isRequire ? textOf(node.arguments[0]) : undefined;
}

/** @param {ts.Node | undefined} node */
const textOf = (node) => (node && ts.isStringLiteralLike(node) ? node : undefined);

/**
 * An import inside `declare module "x" { … }` belongs to that module, not to the file.
 * @param {ts.Node} node
 */
function isAmbient(node) {
  for (let at = node.parent; at; at = at.parent) if (ts.isModuleDeclaration(at)) return true;
  return false;
}
