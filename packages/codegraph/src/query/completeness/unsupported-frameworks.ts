import { listedPackages } from "../../graph/index.ts";
import type { CodeGraph, Manifest } from "../../graph/index.ts";
import { linksOut, perGraph, reachFrom } from "../../analysis/index.ts";
import { folderName } from "../names/names.ts";

/** Packages that connect files in ways that the graph does not read. */
const UNSUPPORTED: Readonly<Record<string, string>> = {
  "@angular/core": "Angular templates are not read",
  "@redwoodjs/core": "imports that Redwood adds are not read",
  "ember-source": "Ember finds files by name, which is not supported",
  "unplugin-auto-import": "imports that unplugin-auto-import adds are not read",
  "unplugin-vue-components": "components that unplugin-vue-components imports are not read",
};

/** Templates of these can only name members of their component. */
const MEMBERS_ONLY: ReadonlySet<string> = new Set(["@angular/core"]);

interface Unsupported {
  readonly note: string;
  readonly isMembersOnly: boolean;
  /** Whether an application of the framework can use a file. */
  readonly canUse: (file: number) => boolean;
}

const unsupportedIn: (graph: CodeGraph) => readonly Unsupported[] = perGraph((graph) =>
  Object.entries(UNSUPPORTED).flatMap(([name, note]) => {
    const users = graph.info.manifests.filter((each) => listedPackages(each).includes(name));
    const isMembersOnly = MEMBERS_ONLY.has(name);
    return users.length === 0 ? [] : [{ note, isMembersOnly, canUse: usedBy(graph, users) }];
  }),
);

/** The files of packages, of the packages of the tree that they list, and all that these import. */
function usedBy(graph: CodeGraph, packages: readonly Manifest[]): (file: number) => boolean {
  const folders = withDependencies(graph, packages).map(({ path }) => folderName(path));
  if (folders.includes("")) return () => true;
  const starts = Array.from({ length: graph.files.count }, (_, file) => file).filter((file) =>
    folders.some((folder) => graph.files.path(file).startsWith(`${folder}/`)),
  );
  const { steps } = reachFrom(linksOut(graph), starts);
  return (file) => steps[file] !== -1;
}

function withDependencies({ info }: CodeGraph, packages: readonly Manifest[]): Manifest[] {
  const found = new Set(packages);
  for (const each of found) {
    const listed = new Set(listedPackages(each));
    for (const other of info.manifests) {
      if (other.name !== undefined && listed.has(other.name)) found.add(other);
    }
  }
  return [...found];
}

/**
 * A short note for each framework that the graph does not fully read and that can use a file, or
 * any file if none is given. With `isTop`, only the places of a name at the top of the file matter.
 */
export function unsupportedFrameworks(
  graph: CodeGraph,
  file?: number,
  isTop = false,
): readonly string[] {
  const unread = unsupportedIn(graph)
    .filter(({ isMembersOnly }) => !isTop || !isMembersOnly)
    .filter(({ canUse }) => file === undefined || canUse(file))
    .map(({ note }) => note);
  const isEarly = graph.info.phase === "modules" && listsNuxt(graph);
  return isEarly ? [...unread, "imports that Nuxt adds are not read yet"] : unread;
}

const listsNuxt: (graph: CodeGraph) => boolean = perGraph(({ info }) =>
  info.manifests.some((manifest) => listedPackages(manifest).includes("nuxt")),
);
