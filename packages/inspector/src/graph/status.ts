import type { GraphPicture } from "@waybill/server";
import { formatCount } from "../components/format.ts";
import type { AskedByAddress } from "./graph-query.ts";
import { IMPACT_DEPTH } from "./links.ts";
import type { Look } from "./picture-style.ts";

function many(count: number, one: string, more = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : more}`;
}

/** Describes the picture in one line, for screen readers. */
export function getStatus(
  picture: Pick<GraphPicture, "files" | "imports" | "changed">,
  { selected, to, impact }: Omit<AskedByAddress, "marks">,
  { lit }: Pick<Look, "lit">,
): string {
  const { files, imports, changed } = picture;
  if (lit === undefined) {
    return `${many(files.length, "file")}, ${many(imports.length / 2, "import")}`;
  }
  const count = lit.reduce((sum, one) => sum + one, 0);
  const name = files[selected ?? -1];
  const within = `within ${IMPACT_DEPTH} steps`;
  if (impact === "diff") {
    const touched = many(count - changed.length, "other", "others");
    return `${many(changed.length, "changed file")}, which ${touched} depend on ${within}`;
  }
  if (name === undefined) return many(count, "file is highlighted", "files are highlighted");
  if (to !== undefined) return `From ${name} to ${files[to]!}`;
  return impact === "file"
    ? `A change of ${name} affects ${many(count - 1, "file")} ${within}`
    : `${name} has ${many(count - 1, "neighbour")}`;
}
