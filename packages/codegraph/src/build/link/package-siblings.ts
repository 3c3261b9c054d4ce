import { isGoTest } from "../languages/go-packages.ts";
import { parentFolder } from "../resolve/tree.ts";
import type { SourceFile } from "./source-file.ts";

/**
 * The files of a file's package, including itself; undefined in languages without such packages.
 */
export function packageSiblings(
  files: readonly SourceFile[],
): (file: number) => readonly number[] | undefined {
  let known: (readonly number[] | undefined)[] | undefined;
  return (id) => {
    if (files[id]?.language !== "go") return undefined;
    return (known ??= siblingsIn(files))[id];
  };
}

function siblingsIn(files: readonly SourceFile[]): (readonly number[] | undefined)[] {
  const known: (readonly number[] | undefined)[] = [];
  for (const all of packagesIn(files)) {
    const withoutTests = all.filter((id) => !isGoTest(files[id]!.path));
    for (const id of all) known[id] = isGoTest(files[id]!.path) ? all : withoutTests;
  }
  return known;
}

function packagesIn(files: readonly SourceFile[]): Iterable<readonly number[]> {
  const packages = new Map<string, number[]>();
  for (const [id, file] of files.entries()) {
    const name = packageKey(file);
    if (name === undefined) continue;
    const known = packages.get(name);
    if (known) known.push(id);
    else packages.set(name, [id]);
  }
  return packages.values();
}

/** A key that all files of a package share: its folder, and whether they are external tests. */
export function packageKey({ path, language, facts }: SourceFile): string | undefined {
  if (language !== "go") return undefined;
  const own = facts.requests.find(({ kind }) => kind === "package");
  return own && `${parentFolder(path)} ${own.specifier}`;
}
