import type { Confidence } from "../../graph/index.ts";
import type { TakenName } from "../modules/facts.ts";
import { isGoTest } from "../languages/go-packages.ts";
import { packageKey } from "./package-siblings.ts";
import type { SourceFile } from "./source-file.ts";

/** The names that a file uses from another file of its package. */
export interface Taken {
  readonly file: number;
  readonly names: readonly TakenName[];
  readonly confidence: Confidence;
}

/**
 * Finds the files of a package that declare a name. Only tests can use the declarations of tests.
 */
export class PackageNames {
  readonly #files: readonly SourceFile[];
  readonly #declaring = new Map<string, Map<string, number[]>>();

  constructor(files: readonly SourceFile[]) {
    this.#files = files;
    for (const [id, file] of files.entries()) {
      const { facts } = file;
      if (facts.shared === undefined) continue;
      const names = this.#namesIn(packageKey(file) ?? "");
      for (const name of [...facts.exports.map((fact) => fact.name), ...facts.shared]) {
        const known = names.get(name);
        if (known) known.push(id);
        else names.set(name, [id]);
      }
    }
  }

  /** The names that a file uses from other files, in order of first use. */
  usedBy(file: number, names: readonly TakenName[]): Taken[] {
    const taken = new Map<number, TakenName[]>();
    for (const used of names) {
      for (const other of this.#declaringOf(file, used.name)) {
        const known = taken.get(other);
        if (known) known.push(used);
        else taken.set(other, [used]);
      }
    }
    return [...taken].map(([other, used]) => ({ file: other, ...asTaken(used) }));
  }

  /**
   * The type of a method's object is unknown here, so a method counts only if exactly one file
   * declares its name.
   */
  #declaringOf(file: number, name: string): readonly number[] {
    const { path } = this.#files[file]!;
    const all = this.#declaring.get(packageKey(this.#files[file]!) ?? "")?.get(name) ?? [];
    const isSeen = (id: number): boolean => isGoTest(path) || !isGoTest(this.#files[id]!.path);
    const seen = all.filter(isSeen);
    if (name.startsWith(".") && new Set(seen).size > 1) return [];
    return seen.filter((id) => id !== file);
  }

  #namesIn(key: string): Map<string, number[]> {
    let names = this.#declaring.get(key);
    if (!names) this.#declaring.set(key, (names = new Map<string, number[]>()));
    return names;
  }
}

function asTaken(used: readonly TakenName[]): Omit<Taken, "file"> {
  const confidence = used.every(({ name }) => name.startsWith(".")) ? "likely" : "exact";
  const names = used.map(({ name, ...rest }) => ({ ...rest, name: name.replace(/^\./, "") }));
  return { names, confidence };
}
