import { readFileSync, realpathSync, statSync } from "node:fs";
import { join, sep } from "node:path";

const MAX_BYTES = 8 * 1024 * 1024;
const MAX_FILES = 64;
const MAX_LINE = 200;

/** Lines of source files, read on demand. A link that leads out of the tree is not followed. */
export class SourceLines {
  readonly #root: string;
  readonly #files = new Map<string, readonly string[]>();

  constructor(root: string) {
    this.#root = root;
  }

  lineText(path: string, line: number): string {
    const text = (this.lines(path)[line - 1] ?? "").trim();
    return text.length > MAX_LINE ? `${text.slice(0, MAX_LINE)}…` : text;
  }

  /** Drops the cached lines, because files may have changed. */
  forget(): void {
    this.#files.clear();
  }

  /** When a file was changed last; undefined if it cannot be read. */
  changedAt(path: string): number | undefined {
    return statSync(join(this.#root, path), { throwIfNoEntry: false })?.mtimeMs;
  }

  lines(path: string): readonly string[] {
    const known = this.#files.get(path);
    if (known !== undefined) return known;
    const lines = this.#read(path);
    if (this.#files.size >= MAX_FILES) this.#files.delete(this.#files.keys().next().value!);
    this.#files.set(path, lines);
    return lines;
  }

  #read(path: string): readonly string[] {
    try {
      const real = realpathSync(join(this.#root, path));
      const { size } = statSync(real);
      if (!real.startsWith(this.#root + sep) || size > MAX_BYTES) return [];
      return readFileSync(real, "utf8").split(/\r?\n/u);
    } catch {
      return [];
    }
  }
}
