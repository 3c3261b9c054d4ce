import { isNamedLanguage, namedFamily } from "../../graph/index.ts";
import type { NamedLanguage } from "../../graph/index.ts";
import { parentFolder } from "../resolve/tree.ts";
import type { SourceFile } from "./source-file.ts";

interface Declared {
  readonly file: number;
  readonly name: string;
}

/** The most files that declare the same name. If there are more, none of them is chosen. */
const MAX_SAME = 50;

/**
 * Resolves names in languages without real name resolution: to a declaration in the same file, an
 * imported file, the same folder, or to the only one in the tree.
 */
export class NamedDeclarations {
  readonly #files: readonly SourceFile[];
  readonly #byFamily = new Map<string, Map<string, number[]>>();
  readonly #ids: ReadonlyMap<string, number>;

  constructor(files: readonly SourceFile[]) {
    this.#files = files;
    this.#ids = new Map(files.map(({ path }, id) => [path, id]));
    for (const [id, { language, facts }] of files.entries()) {
      if (!isNamedLanguage(language)) continue;
      const names = [...facts.exports.map(({ name }) => name), ...(facts.shared ?? [])];
      for (const name of names) this.#namesOf(language, name).push(id);
    }
  }

  find(file: number, name: string): Declared | undefined {
    const { language, path, targets } = this.#files[file]!;
    if (!isNamedLanguage(language)) return undefined;
    const found = this.#byFamily.get(namedFamily(language))?.get(name) ?? [];
    if (found.length === 0 || found.length > MAX_SAME) return undefined;
    if (found.includes(file)) return { file, name };
    const imported = new Set(
      targets.flatMap((target) => (target.to === "file" ? (this.#ids.get(target.path) ?? []) : [])),
    );
    const folder = parentFolder(path);
    for (const near of [
      found.filter((id) => imported.has(id)),
      found.filter((id) => parentFolder(this.#files[id]!.path) === folder),
      found,
    ]) {
      if (near.length === 1) return { file: near[0]!, name };
      if (near.length > 1) return undefined;
    }
    return undefined;
  }

  #namesOf(language: NamedLanguage, name: string): number[] {
    const family = namedFamily(language);
    let names = this.#byFamily.get(family);
    if (!names) this.#byFamily.set(family, (names = new Map()));
    let files = names.get(name);
    if (!files) names.set(name, (files = []));
    return files;
  }
}
