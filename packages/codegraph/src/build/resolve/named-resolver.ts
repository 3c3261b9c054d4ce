import type { NamedLanguage } from "../../graph/index.ts";
import type { Target } from "./resolver.ts";
import { parentFolder, joinPath } from "./tree.ts";
import type { FileTree } from "./tree.ts";

const ENDINGS: Readonly<Record<NamedLanguage, readonly string[]>> = {
  java: [".java", ".kt"],
  kotlin: [".kt", ".java"],
  csharp: [".cs"],
  rust: [".rs", "/mod.rs"],
  ruby: [".rb"],
  php: [".php"],
  c: ["", ".h"],
  cpp: ["", ".h", ".hpp"],
};

/**
 * The most files for a namespace. More are not certain, because a folder for each namespace is only
 * a convention.
 */
const MAX_FOLDER_FILES = 200;

/** Resolves imports of other languages by the ends of file paths. */
export class NamedResolver {
  readonly #tree: FileTree;
  readonly #byBase = new Map<string, string[]>();

  constructor(tree: FileTree, paths: readonly string[]) {
    this.#tree = tree;
    for (const path of paths) {
      const base = path.slice(path.lastIndexOf("/") + 1);
      const known = this.#byBase.get(base);
      if (known) known.push(path);
      else this.#byBase.set(base, [path]);
    }
  }

  resolve(from: string, language: NamedLanguage, specifier: string): Target {
    const path = this.#find(from, language, specifier);
    if (path !== undefined) return { to: "file", path, how: "convention", confidence: "likely" };
    return {
      to: "package",
      name: specifier.split(/[.:\\/]+/).find((part) => part !== "") ?? specifier,
    };
  }

  #find(from: string, language: NamedLanguage, specifier: string): string | undefined {
    if (specifier.startsWith("./")) return this.#relative(from, language, specifier);
    if (language === "rust") return this.#rust(from, specifier);
    const path = specifier.replaceAll(
      /::|\\|\./g,
      language === "c" || language === "cpp" ? "$&" : "/",
    );
    for (const ending of ENDINGS[language]) {
      const found = this.#endingWith(path.replace(/\/\*$/, "") + ending, from);
      if (found !== undefined) return found;
    }
    // The name in `import static a.B.c`, or of a nested class, is longer than the path of its file.
    const outer = path.includes("/") && language !== "c" && language !== "cpp";
    const above = outer ? parentFolder(path) : "";
    return above.includes("/")
      ? this.#endingWith(`${above}${ENDINGS[language][0]!}`, from)
      : undefined;
  }

  #relative(from: string, language: NamedLanguage, specifier: string): string | undefined {
    const path = joinPath(parentFolder(from), specifier);
    const endings = ENDINGS[language].map((ending) => `${path ?? ""}${ending}`);
    const found = path === undefined ? undefined : this.#tree.firstOf([path, ...endings]);
    if (found !== undefined) return found;
    const below = specifier.replace(/^(?:\.{1,2}\/)+/, "");
    return this.#endingWith(below, from) ?? this.#endingWith(below + ENDINGS[language][0]!, from);
  }

  /** The only file whose path ends like this; the nearest one, if there are several. */
  #endingWith(end: string, from: string): string | undefined {
    const base = end.slice(end.lastIndexOf("/") + 1);
    const found = (this.#byBase.get(base) ?? [])
      .slice(0, MAX_FOLDER_FILES)
      .filter((path) => path === end || path.endsWith(`/${end}`));
    return found.toSorted((a, b) => sharedStart(b, from) - sharedStart(a, from))[0];
  }

  /** Resolves `crate::a::B`, `super::x` and `self::x` by the longest part that is a file. */
  #rust(from: string, specifier: string): string | undefined {
    const parts = specifier.split("::");
    const isRoot = /(?:^|\/)(?:mod|lib|main)\.rs$/.test(from);
    const own = isRoot ? parentFolder(from) : from.replace(/\.rs$/, "");
    let base = own;
    if (parts[0] === "crate") base = crateFolder(from);
    if (parts[0] === "crate" || parts[0] === "self") parts.shift();
    for (; parts[0] === "super"; parts.shift()) base = parentFolder(base);
    for (let count = parts.length; count > 0; count--) {
      const path = [base, ...parts.slice(0, count)].filter((part) => part !== "").join("/");
      const found = this.#tree.firstOf([`${path}.rs`, `${path}/mod.rs`]);
      if (found !== undefined) return found;
    }
    return undefined;
  }
}

/** The `src` folder of a Rust file's crate. */
function crateFolder(path: string): string {
  const at = `/${path}`.lastIndexOf("/src/");
  return at < 0 ? "" : path.slice(0, at + 3);
}

function sharedStart(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return at;
}
