import type { CodeGraph } from "../../graph/index.ts";
import { perGraph } from "../../analysis/index.ts";
import { folderName } from "../names/names.ts";

/** Usual entry files, for a package.json that names none or only build outputs. */
const USUAL_DOORS =
  /^(?:src\/|lib\/|source\/)?(?:index|main|mod|public[-_]api)\.(?:d\.)?[cm]?[jt]sx?$/u;

function getDoors(graph: CodeGraph): Set<number> {
  const doors = new Set<number>();
  for (let row = 0; row < graph.entrypoints.count; row++) {
    if (graph.entrypoints.kind(row) === "package") doors.add(graph.entrypoints.file(row));
  }
  return doors;
}

/** An array with a 1 for each file whose exports may be used outside of the tree. */
export const publicFiles: (graph: CodeGraph) => Uint8Array = perGraph((graph) => {
  const doors = getDoors(graph);
  const folders = new Set(["", ...graph.info.manifests.map(({ path }) => folderName(path))]);
  for (const folder of folders) {
    const prefix = folder === "" ? "" : `${folder}/`;
    for (const file of usualDoors(graph, prefix)) doors.add(file);
  }
  return Uint8Array.from({ length: graph.files.count }, (_, file) => (doors.has(file) ? 1 : 0));
});

const candidates: (graph: CodeGraph) => readonly number[] = perGraph((graph) =>
  Array.from({ length: graph.files.count }, (_, file) => file).filter((file) =>
    /(?:^|\/)(?:index|main|mod|public[-_]api)\./u.test(graph.files.path(file)),
  ),
);

function usualDoors(graph: CodeGraph, prefix: string): number[] {
  return candidates(graph).filter((file) => {
    const path = graph.files.path(file);
    return path.startsWith(prefix) && USUAL_DOORS.test(path.slice(prefix.length));
  });
}
