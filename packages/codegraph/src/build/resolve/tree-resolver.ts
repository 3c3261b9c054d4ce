import { GoPackages } from "../languages/go-packages.ts";
import { PythonModules } from "../languages/python-modules.ts";
import type { Request } from "../modules/facts.ts";
import type { ReadFile } from "../modules/read-file.ts";
import type { PackageFile } from "./manifests.ts";
import { workspacePackages } from "./members.ts";
import { isNamedLanguage } from "../../graph/index.ts";
import { NamedResolver } from "./named-resolver.ts";
import { ModuleResolver } from "./resolver.ts";
import type { Target } from "./resolver.ts";
import { FileTree } from "./tree.ts";

/** Resolves the requests of a tree's files, by the rules of each language. */
export class TreeResolver {
  readonly #root: string;
  readonly #paths: readonly string[];
  readonly #tree: FileTree;
  readonly #modules: ModuleResolver;
  #python: PythonModules | undefined;
  #go: GoPackages | undefined;
  #named: NamedResolver | undefined;

  constructor(root: string, paths: readonly string[], packages: readonly PackageFile[]) {
    this.#root = root;
    this.#paths = paths;
    this.#tree = new FileTree(paths);
    const members = workspacePackages(root, paths, packages);
    this.#modules = new ModuleResolver(root, this.#tree, packages, members);
  }

  resolve({ path, language }: ReadFile, { specifier, kind, isInline }: Request): Target {
    if (language === "python") {
      this.#python ??= new PythonModules(this.#tree, this.#paths);
      return this.#python.resolve(path, specifier);
    }
    if (language === "go") {
      return (this.#go ??= new GoPackages(this.#root, this.#paths)).resolve(path, specifier);
    }
    if (isNamedLanguage(language)) {
      this.#named ??= new NamedResolver(this.#tree, this.#paths);
      return this.#named.resolve(path, language, specifier);
    }
    const target = this.#modules.resolve(path, specifier, kind === "require");
    const isKept = isInline === true && target.to === "file" && this.#modules.keepsTypes(path);
    return isKept ? { ...target, keepsTypes: true } : target;
  }
}
