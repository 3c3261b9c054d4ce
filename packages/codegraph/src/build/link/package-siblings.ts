import { isGoTest } from "../languages/go-packages.ts";
import { folderOf } from "../resolve/tree.ts";
import type { SourceFile } from "./source-file.ts";

/** The files of the package of a file, itself among them; undefined where files stand alone. */
export function packageSiblings(
  files: readonly SourceFile[],
): (file: number) => readonly number[] | undefined {
  const packages = new Map<string, number[]>();
  for (const [id, file] of files.entries()) {
    if (!isInPackage(file)) continue;
    const folder = folderOf(file.path);
    const known = packages.get(folder);
    if (known) known.push(id);
    else packages.set(folder, [id]);
  }
  const withoutTests = new Map<string, number[]>();
  for (const [folder, all] of packages) {
    withoutTests.set(
      folder,
      all.filter((id) => !isGoTest(files[id]!.path)),
    );
  }
  return (id) => {
    const file = files[id]!;
    if (!isInPackage(file)) return undefined;
    return (isGoTest(file.path) ? packages : withoutTests).get(folderOf(file.path));
  };
}

const isInPackage = ({ facts }: SourceFile): boolean =>
  facts.requests.some(({ kind }) => kind === "package");
