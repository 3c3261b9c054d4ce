import { listedPackages } from "../../graph/index.ts";
import type { Manifest } from "../../graph/index.ts";
import type { Target } from "../resolve/resolver.ts";
import type { SourceFile } from "./source-file.ts";

/**
 * Whether a specifier is certainly outside of the tree: a built-in module, or a package in a
 * manifest. A test runner or bundler may map any other name to a file.
 */
export function foreignSpecifiers(
  files: readonly SourceFile[],
  manifests: readonly Manifest[],
): (file: number, specifier: string) => boolean {
  const listed = once(() => new Set(manifests.flatMap(listedPackages)));
  const own = once(() => new Set(manifests.flatMap(({ name }) => name ?? [])));
  const names = once(() => pathNames(files));
  const isForeign = (target: Target | undefined, specifier: string, language: string): boolean => {
    if (target?.to === "builtin") return true;
    if (target?.to !== "package") return false;
    if (specifier === "#imports" || specifier === "#components") return false;
    if (language === "go") return true;
    // A package of the tree whose file was not found does not count as foreign.
    if (own().has(target.name)) return false;
    if (language === "python") return !names().has(target.name);
    return listed().has(target.name) || listed().has(typesPackage(target.name));
  };
  const known: (Map<string, boolean> | undefined)[] = [];
  return (file, specifier) => {
    const { language, facts, targets } = files[file]!;
    if (language === "python" && specifier === "builtins") return true;
    known[file] ??= new Map(
      facts.requests.map((request, place) => [
        request.specifier,
        isForeign(targets[place], request.specifier, language),
      ]),
    );
    return known[file].get(specifier) ?? false;
  };
}

/** Computes a value on first use and keeps it, because most edits do not need the value. */
function once<T>(compute: () => T): () => T {
  let value: { readonly known: T } | undefined;
  return () => (value ??= { known: compute() }).known;
}

function typesPackage(name: string): string {
  return `@types/${name.replace(/^@/, "").replace("/", "__")}`;
}

/** All names that a module of the tree can have: folders, and files without extension. */
function pathNames(files: readonly SourceFile[]): Set<string> {
  const names = new Set<string>();
  for (const { path, language } of files) {
    if (language !== "python") continue;
    const parts = path.split("/");
    const file = parts.pop() ?? "";
    for (const part of parts) names.add(part);
    names.add(file.replace(/\.pyi?$/, ""));
  }
  return names;
}
