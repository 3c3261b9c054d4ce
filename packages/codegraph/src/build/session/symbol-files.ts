import type { ServedFile } from "../entrypoints/index.ts";
import { parentFolder } from "../resolve/tree.ts";
import type { SourceFile } from "../link/source-file.ts";
import { renumberLinks } from "../symbols/index.ts";
import type { FileLinks, FileSymbolData } from "../symbols/index.ts";

/** The symbols of one file, and everything they depend on. */
export interface SymbolFile {
  readonly path: string;
  readonly facts: FileSymbolData | undefined;
  /** Undefined when the links have to be followed again. */
  readonly links: FileLinks | undefined;
  /** The files that the links rest on, and the hashes of names that were looked up for them. */
  readonly rests: Uint32Array;
  readonly names: Int32Array;
  /** Where the file's specifiers lead, as one text. */
  readonly targets: string;
  /** Set if a package.json names the file as an entry point. */
  readonly served?: readonly ServedFile[] | undefined;
  /** Frameworks to which the place of the file means nothing. */
  readonly strangeTo?: ReadonlySet<string> | undefined;
}

const NO_FILES = new Uint32Array();
const NO_NAMES = new Int32Array();

export function resolvedTargets({ facts, targets }: SourceFile): string {
  return facts.requests
    .map(({ specifier }, place) => {
      const target = targets[place];
      if (target?.to !== "file") return "";
      // A package that has another file now may offer other names.
      const others = target.others?.length ?? 0;
      return `${specifier}\n${target.path}${others === 0 ? "" : ` +${others}`}`;
    })
    .join("\n");
}

/**
 * The symbols of files that are in another order now. One that is new has nothing yet, and one
 * whose specifiers lead elsewhere is linked again; `led` gets those, as others may rest on them.
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

/** The folders of packages with a file that was not there: it may declare what was missed. */
function grownPackages(
  before: ReadonlyMap<string, SymbolFile>,
  files: readonly SourceFile[],
): Set<string> {
  const added = files.filter(({ path, language }) => language === "go" && !before.has(path));
  return new Set(added.map(({ path }) => parentFolder(path)));
}

/** The new number of each file by its old one, -1 for one that is gone; undefined when all stay. */
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
