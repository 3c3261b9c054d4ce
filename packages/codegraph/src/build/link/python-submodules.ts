import type { SourceFile } from "./source-file.ts";

const PACKAGE = /(?:^|\/)__init__\.pyi?$/;
const ENDINGS = [".py", "/__init__.py", ".pyi", "/__init__.pyi"];

/** The module with this name in a Python package. `idOf` returns the number of a file. */
export function findSubmodule(
  source: SourceFile | undefined,
  name: string,
  idOf: (path: string) => number | undefined,
): number | undefined {
  if (source?.language !== "python" || !PACKAGE.test(source.path)) return undefined;
  const base = source.path.replace(/__init__\.pyi?$/, name);
  const ending = ENDINGS.find((each) => idOf(base + each) !== undefined);
  return ending === undefined ? undefined : idOf(base + ending);
}
