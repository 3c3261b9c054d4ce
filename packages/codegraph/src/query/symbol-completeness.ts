import { isNamedLanguage } from "../graph/index.ts";
import type { CodeGraph, SymbolKind, UnresolvedKind } from "../graph/index.ts";
import { completenessFor, counted, earlyReasons, treeReasons } from "./completeness.ts";
import type { Completeness } from "./completeness.ts";
import { exportNames } from "./definitions.ts";
import type { Definition } from "./definitions.ts";
import { nearTakers } from "./module-takers.ts";
import { unresolvedIn } from "./unresolved-uses.ts";
import type { GraphView } from "./view.ts";

/** What stands in one of these is seen nowhere else. */
const MEMBER = ["member"] as const;
const CLOSED: ReadonlySet<SymbolKind> = new Set(["function", "method", "constructor", "accessor"]);

/** The name by which a text that was not read to the end may mention anything. */
const ANY_NAME = "*";

const REASONS: Readonly<Record<UnresolvedKind, readonly [one: string, many: string]>> = {
  value: [
    "file uses a name like it without an import",
    "files use a name like it without an import",
  ],
  member: [
    "file uses a name like it on a value of unknown type",
    "files use a name like it on values of unknown type",
  ],
  key: ["file has an object with such a key", "files have objects with such a key"],
  import: [
    "file imports a name like it from a module that was not found",
    "files import a name like it from modules that were not found",
  ],
  text: ["file that is not parsed mentions it", "files that are not parsed mention it"],
};

/**
 * What may be missing among the uses of a symbol. A use has to name it, so uses are missing only
 * where a name like it is used and nobody can tell what it stands for.
 */
export function symbolCompleteness(view: GraphView, definition: Definition): Completeness {
  const { graph } = view;
  return completenessFor([
    ...earlyReasons(view),
    ...treeReasons(view),
    ...byNameReasons(graph, definition),
    ...waysMissed(graph, definition).flatMap(({ kind, files }) => counted(files, ...REASONS[kind])),
  ]);
}

/** References by name are never all there is. */
function byNameReasons({ files }: CodeGraph, { file }: Definition): string[] {
  const language = files.language(file);
  return isNamedLanguage(language) ? [`references in ${language} are found by name`] : [];
}

interface MissedWay {
  readonly kind: UnresolvedKind;
  readonly files: number;
}

/** In which ways files may use a symbol that the graph does not see. */
function waysMissed(graph: CodeGraph, definition: Definition): MissedWay[] {
  const names = namesOf(graph, definition);
  return kindsFor(graph, definition).flatMap((kind) => {
    const wanted = kind === "text" ? [...names, ANY_NAME] : names;
    const files = new Set(
      wanted.flatMap((name) => [...unresolvedIn(graph, name, kind, definition.file)]),
    );
    // A member of a value is one of a module only near where something has all of the module.
    const seen =
      kind === "member" && isTop(graph, definition)
        ? nearTakers(graph, definition.file, files)
        : files;
    return seen.size === 0 ? [] : [{ kind, files: seen.size }];
  });
}

/** Its own name, and those under which it is exported. */
function namesOf(graph: CodeGraph, { symbol, name, export: row }: Definition): string[] {
  const own = symbol === undefined ? name : graph.symbols.name(symbol);
  const others = symbol === undefined ? [] : exportNames(graph, symbol);
  const exported = row === undefined ? [] : [graph.exports.name(row)];
  return [...new Set([own, ...exported, ...others])];
}

function kindsFor(graph: CodeGraph, { symbol, file }: Definition): UnresolvedKind[] {
  const parent = symbol === undefined ? undefined : graph.symbols.parent(symbol);
  const around = parent === undefined ? "module" : graph.symbols.kind(parent);
  // A package of Go is no value, so its members are always told apart from those of values.
  const isValue = graph.files.language(file) !== "go";
  if (around === "module") return ["value", "import", ...(isValue ? MEMBER : []), "text"];
  return CLOSED.has(around) ? [] : ["member", "key", "text"];
}

function isTop(graph: CodeGraph, { symbol }: Definition): boolean {
  const parent = symbol === undefined ? undefined : graph.symbols.parent(symbol);
  return parent === undefined || graph.symbols.kind(parent) === "module";
}
