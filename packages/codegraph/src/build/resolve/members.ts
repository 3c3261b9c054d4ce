import { readFileSync } from "node:fs";
import { join } from "node:path";
import { compilePattern } from "../../patterns/index.ts";
import type { PackageFile } from "./manifests.ts";
import { parentFolder, joinPath } from "./tree.ts";

const DECLARES = /(?:^|\/)(?:pnpm-workspace\.ya?ml|lerna\.json)$/;
const FIXTURE = /(?:^|\/)(?:__)?(?:fixtures?|mocks?|templates?|tests?|testdata)(?:__)?\//i;
const MAX_PATTERNS = 1000;

/**
 * The packages that others in the tree can import by name: the members of its workspaces. If none
 * are declared, all packages that do not look like test fixtures. Outermost packages come last,
 * because a root often has the name of its main package.
 */
export function workspacePackages(
  root: string,
  paths: readonly string[],
  packages: readonly PackageFile[],
): PackageFile[] {
  const patterns = [
    ...packages.flatMap(({ folder, workspaces }) => anchored(folder, workspaces)),
    ...paths.filter((path) => DECLARES.test(path)).flatMap((path) => declaredIn(root, path)),
  ].slice(0, MAX_PATTERNS);
  const isMember = memberTest(patterns);
  const members = packages.filter(({ folder, path }) =>
    patterns.length > 0 ? folder === "" || isMember(folder) : !FIXTURE.test(path),
  );
  return members.toSorted((a, b) => depthOf(b) - depthOf(a) || (a.path < b.path ? -1 : 1));
}

const depthOf = ({ folder }: PackageFile): number => (folder === "" ? 0 : folder.split("/").length);

function anchored(folder: string, globs: readonly string[]): string[] {
  return globs.flatMap((glob) => {
    const isNegated = glob.startsWith("!");
    const path = joinPath(folder, glob.replace(/^!/, ""));
    return path === undefined ? [] : [isNegated ? `!${path}` : path];
  });
}

function memberTest(globs: readonly string[]): (folder: string) => boolean {
  const compiled = globs.flatMap((glob) => {
    const isNegated = glob.startsWith("!");
    try {
      return [{ isNegated, pattern: compilePattern(glob.replace(/^!/, "")) }];
    } catch {
      return [];
    }
  });
  return (folder) => {
    const hits = compiled.filter(({ pattern }) => pattern.matches(folder));
    return hits.length > 0 && !hits.some(({ isNegated }) => isNegated);
  };
}

function declaredIn(root: string, path: string): string[] {
  let text: string;
  try {
    text = readFileSync(join(root, path), "utf8");
  } catch {
    return [];
  }
  const block = path.endsWith(".json")
    ? /"packages"\s*:\s*\[([^\]]*)\]/.exec(text)?.[1]
    : /^packages:[ \t]*\n((?:[ \t]*(?:-.*|#.*)?\n?)*)/m.exec(text)?.[1];
  const quoted = path.endsWith(".json")
    ? /"([^"]+)"/g
    : /^[ \t]*-[ \t]*["']?([^"'\n#]+?)["']?[ \t]*$/gm;
  return anchored(
    parentFolder(path),
    [...(block ?? "").matchAll(quoted)].map((match) => match[1] ?? ""),
  );
}
