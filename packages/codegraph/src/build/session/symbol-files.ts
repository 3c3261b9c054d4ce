import type { ServedFile } from "../entrypoints/index.ts";
import { parentFolder } from "../resolve/tree.ts";
import type { SourceFile } from "../link/source-file.ts";
import { renumberLinks } from "../symbols/index.ts";
import type { FileLinks, FileSymbolData } from "../symbols/index.ts";

/** The symbols of one file, with everything they depend on. */
export interface SymbolFile {
  readonly path: string;
  readonly facts: FileSymbolData | undefined;
  /** Undefined if the links have to be resolved again. */
  readonly links: FileLinks | undefined;
  /** The files that the links depend on, and the hashes of the names that were looked up. */
  readonly rests: Uint32Array;
  readonly names: Int32Array;
  /** The resolved specifiers, as one text. */
  readonly targets: string;
  /** Set if a package.json names the file as an entry point. */
  readonly served?: readonly ServedFile[] | undefined;
  /** Frameworks whose file conventions do not apply to this file. */
  readonly strangeTo?: ReadonlySet<string> | undefined;
}

const NO_FILES = new Uint32Array();
const NO_NAMES = new Int32Array();

export function resolvedTargets({ facts, targets }: SourceFile): string {
  return facts.requests
    .map(({ specifier }, place) => {
      const target = targets[place];
      if (target?.to !== "file") return "";
      // The number of files is included, because a new file in a package may declare new names.
      const others = target.others?.length ?? 0;
      return `${specifier}\n${target.path}${others === 0 ? "" : ` +${others}`}`;
    })
    .join("\n");
}

/**
 * The symbols of files in their new order. A new file has no symbols yet. A file whose specifiers
 * resolve differently is linked again and its number is added to `led`, because the links of other
 * files may depend on it.
 */
export function rearranged(
  known: readonly SymbolFile[],
  files: readonly SourceFile[],
  led: Set<number>,
): SymbolFile[] {
  const numbers = findNumbers(known, files);
  const before = new Map(known.map((file) => [file.path, file]));
  const grown = grownPackages(before, files);
  return files.map((file, id): SymbolFile => {
    const { path } = file;
    const targets = resolvedTargets(file);
    const old = before.get(path);
    if (old?.targets !== targets) led.add(id);
    const isGrown = file.language === "go" && grown.has(parentFolder(path));
    const links = old?.targets === targets && !isGrown ? old.links : undefined;
    const kept = links && numbers ? renumberLinks(links, numbers) : links;
    const rests = old && (numbers ? renumbered(old.rests, numbers) : old.rests);
    const isKept = kept !== undefined && rests !== undefined;
    return {
      path,
      facts: old?.facts,
      links: isKept ? kept : undefined,
      rests: rests ?? NO_FILES,
      names: old?.names ?? NO_NAMES,
      targets,
    };
  });
}

/** The folders of packages with a new file, which may declare a missing name. */
function grownPackages(
  before: ReadonlyMap<string, SymbolFile>,
  files: readonly SourceFile[],
): Set<string> {
  const added = files.filter(({ path, language }) => language === "go" && !before.has(path));
  return new Set(added.map(({ path }) => parentFolder(path)));
}

/** Maps old file numbers to new ones; -1 for a removed file. Undefined if nothing changes. */
function findNumbers(
  known: readonly SymbolFile[],
  files: readonly SourceFile[],
): Int32Array | undefined {
  const isSame =
    known.length === files.length && known.every(({ path }, id) => files[id]!.path === path);
  if (isSame) return undefined;
  const ids = new Map(files.map(({ path }, id) => [path, id]));
  return Int32Array.from(known, ({ path }) => ids.get(path) ?? -1);
}

function renumbered(rests: Uint32Array, numbers: Int32Array): Uint32Array | undefined {
  const moved = rests.map((file) => numbers[file]!);
  return rests.some((file) => numbers[file]! < 0) ? undefined : moved;
}
