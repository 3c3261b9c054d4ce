import { readFileSync, readdirSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import ts from "typescript-5";
import type { Oracle } from "../types.ts";

type Question = NonNullable<Oracle["compiler"]>;

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.startsWith(".waybill"))
    .map((name) => join(folder, name))
    .toSorted();
}

/** TypeScript's view of a code base. */
class Compiler {
  readonly #folder: string;
  readonly #service: ts.LanguageService;

  constructor(folder: string) {
    this.#folder = folder;
    const files = filesUnder(folder);
    const options: ts.CompilerOptions = {
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      target: ts.ScriptTarget.ES2022,
      allowImportingTsExtensions: true,
      noEmit: true,
      types: [],
    };
    this.#service = ts.createLanguageService({
      getScriptFileNames: () => files,
      getScriptVersion: () => "1",
      getScriptSnapshot: (name) =>
        ts.sys.fileExists(name)
          ? ts.ScriptSnapshot.fromString(readFileSync(name, "utf8"))
          : undefined,
      getCurrentDirectory: () => folder,
      getCompilationSettings: () => options,
      getDefaultLibFileName: (given) => ts.getDefaultLibFilePath(given),
      fileExists: (name) => ts.sys.fileExists(name),
      readFile: (name) => ts.sys.readFile(name),
      readDirectory: (...args) => ts.sys.readDirectory(...args),
      directoryExists: (name) => ts.sys.directoryExists(name),
    });
  }

  #name(file: string): string {
    return relative(this.#folder, file);
  }

  get #program(): ts.Program {
    const program = this.#service.getProgram();
    if (program === undefined) throw new Error("TypeScript made no program");
    return program;
  }

  /** The files of the code base that a file imports or re-exports, statically or dynamically. */
  imports(file: string): string[] {
    const source = this.#program.getSourceFile(resolve(this.#folder, file));
    if (source === undefined) throw new Error(`There is no ${file}`);
    const { importedFiles } = ts.preProcessFile(source.text, true, true);
    const specifiers = importedFiles.map(({ fileName }) => fileName);
    const options = this.#program.getCompilerOptions();
    const found = specifiers.flatMap((specifier) => {
      const { resolvedModule } = ts.resolveModuleName(specifier, source.fileName, options, ts.sys);
      return resolvedModule === undefined ? [] : [this.#name(resolvedModule.resolvedFileName)];
    });
    return [...new Set(found)].filter((name) => !name.startsWith("..")).toSorted();
  }

  get #files(): string[] {
    const all = this.#program.getSourceFiles().map(({ fileName }) => this.#name(fileName));
    return all.filter((name) => !name.startsWith("..") && !name.includes("node_modules"));
  }

  importers(file: string): string[] {
    return this.#files.filter((name) => this.imports(name).includes(file)).toSorted();
  }

  /** The number of files that depend on a file, directly or indirectly. */
  dependents(file: string): number {
    const imports = new Map(this.#files.map((name) => [name, this.imports(name)]));
    const found = new Set([file]);
    for (let before = 0; before < found.size;) {
      before = found.size;
      for (const [name, targets] of imports) {
        if (targets.some((target) => found.has(target))) found.add(name);
      }
    }
    return found.size - 1;
  }

  /** The smallest number of imports from one file to another. */
  distance(from: string, to: string): number | null {
    const seen = new Map([[from, 0]]);
    for (const [name, length] of seen) {
      if (name === to) return length;
      for (const next of this.imports(name)) if (!seen.has(next)) seen.set(next, length + 1);
    }
    return null;
  }

  #declaration(file: string, symbol: string): number {
    const source = this.#program.getSourceFile(resolve(this.#folder, file));
    const checker = this.#program.getTypeChecker();
    const module = source && checker.getSymbolAtLocation(source);
    const found = module && checker.getExportsOfModule(module).find(({ name }) => name === symbol);
    const declaration = found?.declarations?.[0];
    const name = declaration && ts.getNameOfDeclaration(declaration);
    if (name === undefined) throw new Error(`${file} does not export ${symbol}`);
    return name.getStart();
  }

  /** The files that use a symbol, without the one that declares it. */
  referencingFiles(file: string, symbol: string): string[] {
    const path = resolve(this.#folder, file);
    const found = this.#service.findReferences(path, this.#declaration(file, symbol)) ?? [];
    const names = found.flatMap(({ references }) =>
      references.map(({ fileName }) => this.#name(fileName)),
    );
    return [...new Set(names)].filter((name) => name !== file).toSorted();
  }

  /** The `file:line` of a symbol's declaration, through any re-exports. */
  definition(file: string, symbol: string): string {
    const checker = this.#program.getTypeChecker();
    const source = this.#program.getSourceFile(resolve(this.#folder, file));
    const module = source && checker.getSymbolAtLocation(source);
    const found = module && checker.getExportsOfModule(module).find(({ name }) => name === symbol);
    const real =
      found && found.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(found) : found;
    const declaration = real?.declarations?.[0];
    if (declaration === undefined) throw new Error(`${file} does not export ${symbol}`);
    const at = declaration.getSourceFile();
    return `${this.#name(at.fileName)}:${at.getLineAndCharacterOfPosition(declaration.getStart()).line + 1}`;
  }

  /** The names of the functions that call an exported function. */
  callers(file: string, symbol: string): string[] {
    const path = resolve(this.#folder, file);
    const items = this.#service.prepareCallHierarchy(path, this.#declaration(file, symbol));
    const [item] = Array.isArray(items) ? items : items === undefined ? [] : [items];
    if (item === undefined) throw new Error(`${symbol} is not callable`);
    const calls = this.#service.provideCallHierarchyIncomingCalls(
      item.file,
      item.selectionSpan.start,
    );
    return [...new Set(calls.map(({ from }) => from.name))].toSorted();
  }
}

const compilers = new Map<string, Compiler>();

/** TypeScript's answer to a scenario's question about a code base. */
export function askCompiler(folder: string, { question, file, symbol = "" }: Question): unknown {
  const compiler = compilers.get(folder) ?? new Compiler(folder);
  compilers.set(folder, compiler);
  switch (question) {
    case "imports":
      return compiler.imports(file);
    case "importers":
      return compiler.importers(file);
    case "dependents":
      return compiler.dependents(file);
    case "distance":
      return compiler.distance(file, symbol);
    case "referencing-files":
      return compiler.referencingFiles(file, symbol);
    case "definition":
      return compiler.definition(file, symbol);
    case "callers":
      return compiler.callers(file, symbol);
    default:
      throw new Error(`The compiler is not asked for ${question}`);
  }
}
