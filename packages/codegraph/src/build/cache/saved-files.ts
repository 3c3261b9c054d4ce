import { decodeContainer, encodeContainer } from "../../graph/index.ts";
import type { Column } from "../../graph/index.ts";
import type { SourceFile } from "../link/source-file.ts";
import type { SymbolFile } from "../session/symbol-files.ts";
import { Lists, textsIn, encodeStrings } from "./lists.ts";

/**
 * The facts of every file, stored beside the graph, so that after an edit only the changed file is
 * read.
 */
export interface SavedFiles {
  readonly files: readonly SourceFile[];
  /** The symbols; empty if the graph was saved before its symbols were complete. */
  readonly symbols: readonly SymbolFile[];
}

const MODULES = "modules.json";
const LISTS = ["numbers", "uses", "entrypoints", "rests", "names", "mounts", "unresolved"] as const;

export function encodeFiles(
  { files, symbols }: SavedFiles,
  buildId: string,
  version: string,
): Uint8Array {
  const columns = new Map<string, Column>();
  columns.set(MODULES, new TextEncoder().encode(JSON.stringify(files)));
  const lists = {
    numbers: symbols.map(({ facts }) => facts?.numbers),
    uses: symbols.map(({ links }) => links?.uses),
    entrypoints: symbols.map(({ links }) => links?.entrypoints),
    mounts: symbols.map(({ links }) => links?.mounts),
    unresolved: symbols.map(({ links }) => links?.unresolved),
    rests: symbols.map(({ rests }) => rests),
    names: symbols.map(({ names }) => names),
  };
  for (const name of LISTS) Lists.encode(name, lists[name], columns);
  columns.set("texts", encodeStrings(symbols.map(({ facts }) => facts?.texts ?? "")));
  columns.set("targets", encodeStrings(symbols.map(({ targets }) => targets)));
  return encodeContainer({ info: { buildId, symbols: symbols.length }, columns }, version);
}

/** Reads the saved files; undefined if they are not from the same build as the graph. */
export function decodeFiles(
  bytes: Uint8Array<ArrayBuffer>,
  buildId: string,
  version: string,
): SavedFiles | undefined {
  const container = decodeContainer(bytes, version);
  const info = container?.info as { buildId?: unknown; symbols?: unknown } | undefined;
  const json = container?.columns.get(MODULES);
  if (!json || info?.buildId !== buildId) return undefined;
  const files = JSON.parse(new TextDecoder().decode(json)) as SourceFile[];
  const symbols = info.symbols === files.length ? symbolsIn(container!.columns, files) : [];
  return { files, symbols };
}

function symbolsIn(
  columns: ReadonlyMap<string, Column>,
  files: readonly SourceFile[],
): SymbolFile[] {
  const [numbers, uses, entrypoints, rests, names, mounts, unresolved] = LISTS.map(
    (name) => new Lists(name, columns),
  );
  const texts = textsIn(columns.get("texts"));
  const targets = textsIn(columns.get("targets"));
  return files.map(({ path }, id): SymbolFile => {
    const facts = numbers!.get(id);
    const links = uses!.get(id);
    return {
      path,
      facts: facts && { numbers: facts, texts: texts[id] ?? "" },
      links: links && {
        uses: links,
        entrypoints: entrypoints!.get(id) ?? new Int32Array(),
        mounts: mounts!.get(id) ?? new Int32Array(),
        unresolved: unresolved!.get(id) ?? new Int32Array(),
      },
      rests: Uint32Array.from(rests!.get(id) ?? []),
      names: names!.get(id) ?? new Int32Array(),
      targets: targets[id] ?? "",
    };
  });
}
