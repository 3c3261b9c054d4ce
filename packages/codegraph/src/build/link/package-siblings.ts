import { isGoTest } from "../languages/go-packages.ts";
import { folderOf } from "../resolve/tree.ts";
import type { SourceFile } from "./source-file.ts";

/** The files of the package of a file, itself among them; undefined where files stand alone. */
export function packageSiblings(
  files: readonly SourceFile[],
): (file: number) => readonly number[] | undefined {
  const known: (readonly number[] | undefined)[] = [];
  for (const all of packagesIn(files)) {
    const withoutTests = all.filter((id) => !isGoTest(files[id]!.path));
    for (const id of all) known[id] = isGoTest(files[id]!.path) ? all : withoutTests;
  }
  return (id) => known[id];
}

function packagesIn(files: readonly SourceFile[]): Iterable<readonly number[]> {
  const packages = new Map<string, number[]>();
  for (const [id, { path, language, facts }] of files.entries()) {
    if (language !== "go" || !facts.requests.some(({ kind }) => kind === "package")) continue;
    const folder = folderOf(path);
    const known = packages.get(folder);
    if (known) known.push(id);
    else packages.set(folder, [id]);
  }
  return packages.values();
}
